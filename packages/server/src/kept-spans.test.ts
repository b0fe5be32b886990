import { afterEach, expect, test, vi } from "vitest";
import { requestOf, toolSpan } from "../testing/received-spans.ts";
import { runningServer } from "../testing/running-server.ts";
import * as callMetrics from "./call-metrics.ts";
import * as liveEvents from "./live-events.ts";

afterEach(() => vi.restoreAllMocks());

function fail(): never {
  throw new Error("odd");
}

test("spans that are on disk are taken, whatever those who hear of them do, and the hook for failures, too", async () => {
  const take = vi.fn(fail);
  const taken = vi.fn(fail);
  vi.spyOn(callMetrics, "createCallMetrics").mockReturnValue({ take });
  vi.spyOn(liveEvents, "createLiveEvents").mockReturnValue({
    join: fail,
    taken,
    viewers: 0,
    close: () => {},
  });
  const onFailure = vi.fn(fail);
  const here = await runningServer({}, { onFailure });
  for (const n of [1, 2]) {
    expect((await here.post(requestOf(toolSpan(n)))).status).toBe(200);
    // Nothing that went wrong keeps the next ones from being counted.
    await vi.waitFor(() => expect(take).toHaveBeenCalledTimes(n));
  }
  expect(onFailure.mock.calls.map((call) => call.at(1))).toEqual([
    "the live events",
    "the metrics of model calls",
    "the live events",
    "the metrics of model calls",
  ]);
  expect((await here.get("/thoughtflow/events")).status).toBe(500);
  await here.remove();
});
