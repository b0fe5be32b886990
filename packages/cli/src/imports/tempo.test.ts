import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { encodeJsonRequest, spansOfRecords } from "@thoughtflow/otlp";
import { expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { spanOf } from "../../testing/numbered-spans.ts";
import { thoughtflow } from "../thoughtflow.ts";

const span = spanOf(1);
const trace = Buffer.from(encodeJsonRequest(spansOfRecords([span]))).toString();

/** Imports by a search from what answers as a Tempo that finds this, told by whether a range is asked for. */
async function importedFrom(found: (hasRange: boolean) => readonly { traceID: string }[]) {
  const searches: string[][] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://here");
    if (pathname !== "/api/search") return response.end(trace);
    searches.push([...searchParams.keys()]);
    return response.end(JSON.stringify({ traces: found(searchParams.has("start")) }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const cwd = directoryWith({});
  const io = capturedIo(cwd);
  const url = `http://127.0.0.1:${port}`;
  const argv = ["import", "tempo", url, "--session", "s1", "--out", "flows"];
  const code = await thoughtflow(argv, io);
  server.close();
  const hasSession = existsSync(join(cwd, "flows", "s1.json"));
  return { code, searches, hasSession, said: io.stderr() };
}

const RANGE = ["q", "limit", "start", "end"];
const LATEST = ["q", "limit"];
const one = [{ traceID: span.traceId }];

test.each([
  ["of the last days is found by its time", () => one, [RANGE]],
  [
    "that was sent late is among the latest",
    (hasRange: boolean) => (hasRange ? [] : one),
    [RANGE, LATEST],
  ],
])("a session %s", async (_, found, searches) => {
  expect(await importedFrom(found)).toMatchObject({ code: 0, searches, hasSession: true });
});

test("where a search finds nothing it is said where it looked, and what finds more", async () => {
  const { code, said } = await importedFrom(() => []);
  expect([code, said]).toEqual([
    1,
    expect.stringContaining(
      "it has no such trace in the last 7 days and what came in last; --trace finds older ones by their id.",
    ),
  ]);
});
