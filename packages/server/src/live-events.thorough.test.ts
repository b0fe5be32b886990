import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { requestOf, toolSpan } from "../testing/received-spans.ts";
import { type RunningServer, runningServer } from "../testing/running-server.ts";

let here: RunningServer;
beforeEach(async () => {
  here = await runningServer({ maxViewers: 2 });
});
afterEach(() => here.remove());

interface Event {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** A viewer; `until` waits for the first event that is wanted and gives all up to it. */
async function viewer() {
  const controller = new AbortController();
  const response = await fetch(`${here.url}/thoughtflow/events`, {
    headers: { Authorization: `Bearer ${here.token}` },
    signal: controller.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const events: Event[] = [];
  let text = "";
  return {
    response,
    leave: () => controller.abort(),
    async until(isWanted: (event: Event) => boolean): Promise<readonly Event[]> {
      for (let seen = 0; ; ) {
        for (; seen < events.length; seen += 1)
          if (isWanted(events[seen] as Event)) return events.splice(0, seen + 1);
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error(`the stream ended; ${JSON.stringify(events)}`);
        text += value;
        const pieces = text.split("\n\n");
        text = pieces.pop() ?? "";
        for (const piece of pieces) {
          const [, event = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(piece) ?? [];
          if (event !== "") events.push({ event, data: JSON.parse(data) });
        }
      }
    },
  };
}

const thought = toolSpan(2, {
  name: "thought",
  attributes: {
    "session.id": "s",
    "thoughtflow.step.id": "plan",
    "thoughtflow.step.label": "thought",
  },
  content: { "thoughtflow.step.started": JSON.stringify({ text: "First I look." }) },
});

test("a viewer hears of steps and thoughts as they come, and of files with their addresses when they changed", async () => {
  const one = await viewer();
  expect(one.response.headers.get("content-type")).toBe("text/event-stream");
  expect((await here.post(requestOf(toolSpan(1), thought))).status).toBe(200);
  const came = await one.until(({ event }) => event === "thoughtflow.thought");
  expect(came).toMatchObject([
    {
      event: "thoughtflow.step",
      data: {
        session_id: "s",
        step_id: "s_0000000000000001",
        label: "execute_tool",
        status: "unset",
      },
    },
    {
      event: "thoughtflow.thought",
      data: {
        session_id: "s",
        step_id: "plan",
        label: "thought",
        payload_started: { text: "First I look." },
      },
    },
  ]);
  await here.server.flush();
  const [told] = (await one.until(({ event }) => event === "thoughtflow.artifacts")).slice(-1);
  const { revision } = JSON.parse(await (await here.get("/thoughtflow/s.json")).text());
  expect(told?.data).toEqual({
    session_id: "s",
    revision,
    json: `${here.url}/thoughtflow/s.json`,
    d2: `${here.url}/thoughtflow/s.d2`,
    svg: `${here.url}/thoughtflow/s.svg`,
    mmd: `${here.url}/thoughtflow/s.mmd`,
  });
  for (const kind of ["json", "d2", "svg"]) {
    const path = String(told?.data[kind]).slice(here.url.length);
    expect((await here.get(path)).status).toBe(200);
  }
  one.leave();
});

test("a file that changes again is told again, with its new revision", async () => {
  const one = await viewer();
  const revisions: unknown[] = [];
  for (const n of [1, 2]) {
    await here.post(requestOf(toolSpan(n)));
    await here.server.flush();
    const told = await one.until(({ event }) => event === "thoughtflow.artifacts");
    revisions.push(told.at(-1)?.data["revision"]);
  }
  expect(revisions).toEqual([2, 4]);
  one.leave();
});

test("there is room for so many viewers, and for another when one has gone", async () => {
  const [one, two] = [await viewer(), await viewer()];
  const full = await here.get("/thoughtflow/events");
  expect([full.status, full.headers.get("retry-after")]).toEqual([503, "30"]);
  one.leave();
  let next = await here.get("/thoughtflow/events");
  for (; next.status === 503; next = await here.get("/thoughtflow/events")) await next.text();
  expect(next.status).toBe(200);
  await next.body?.cancel();
  two.leave();
});

test("a look at the head takes no viewer's place, and many who come and go leave nothing behind", async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on("warning", warned);
  const stays = await viewer();
  for (let n = 0; n < 15; n += 1) {
    const head = await fetch(`${here.url}/thoughtflow/events`, {
      method: "HEAD",
      headers: { Authorization: `Bearer ${here.token}` },
    });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    await vi.waitFor(async () => {
      const next = await viewer();
      next.leave();
      expect(next.response.status).toBe(200);
    });
  }
  stays.leave();
  process.off("warning", warned);
  expect(warnings).toEqual([]);
});
