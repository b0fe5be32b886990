import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { recordsOfText } from "../../testing/imported-records.ts";
import { thoughtflow } from "../thoughtflow.ts";
import { ImportProblem } from "./import-format.ts";
import { jaeger } from "./jaeger.ts";

const traceID = "0af7651916cd43dd8448eb211c80319c";
/** A trace as Jaeger's page saves it. */
const saved = {
  data: [
    {
      traceID,
      spans: [
        {
          traceID,
          spanID: "00f067aa0ba902b7",
          operationName: "invoke_agent helper",
          startTime: 1_700_000_000_000_000,
          duration: 2_000_000,
          references: [],
          tags: [{ key: "gen_ai.operation.name", type: "string", value: "invoke_agent" }],
          logs: [],
          processID: "p1",
        },
        {
          traceID,
          spanID: "00f067aa0ba902b8",
          operationName: "chat m",
          startTime: 1_700_000_000_100_000,
          duration: 900_000,
          references: [{ refType: "CHILD_OF", traceID, spanID: "00f067aa0ba902b7" }],
          tags: [
            { key: "span.kind", type: "string", value: "client" },
            { key: "otel.scope.name", type: "string", value: "other" },
            { key: "gen_ai.operation.name", type: "string", value: "chat" },
            { key: "gen_ai.usage.input_tokens", type: "int64", value: 8 },
            { key: "gen_ai.response.finish_reasons", type: "string", value: '["stop"]' },
            { key: "otel.status_code", type: "string", value: "ERROR" },
            { key: "error", type: "bool", value: true },
            { key: "otel.status_description", type: "string", value: "too slow" },
          ],
          logs: [
            {
              timestamp: 1_700_000_000_200_000,
              fields: [
                { key: "event", type: "string", value: "exception" },
                { key: "exception.type", type: "string", value: "TimeoutError" },
              ],
            },
          ],
          processID: "p1",
        },
        { operationName: "no ids" },
      ],
      processes: { p1: { serviceName: "agent", tags: [] } },
    },
  ],
};

test("a trace that Jaeger's page saved becomes a session", async () => {
  const { records, warnings } = await recordsOfText(jaeger, JSON.stringify(saved));
  expect(warnings).toEqual(["Left out: 1 × broken spans."]);
  const [session] = assemble(records);
  expect(session?.resource).toEqual({ "service.name": "agent" });
  expect(session?.totals).toMatchObject({ model_calls: 1, input_tokens: 8 });
  expect(session?.conversations[0]?.steps).toEqual([
    expect.objectContaining({
      label: "assistant_call",
      started_at: "2023-11-14T22:13:20.100Z",
      duration_ms: 900,
      error: { type: "TimeoutError", message: "too slow" },
      payload_completed: { finish_reasons: ["stop"] },
    }),
  ]);
});

test("a file of something else is told to be none", async () => {
  await expect(recordsOfText(jaeger, '{"a":1}')).rejects.toThrow(ImportProblem);
  await expect(recordsOfText(jaeger, "{")).rejects.toThrow("it is no JSON");
});

test.each([
  [["--trace", "xyz"], 1, '"xyz" is no trace id'],
  [["--trace", "ff"], 1, "it has no trace 000000000000000000000000000000ff"],
  [["--session", "none"], 1, "answered 500: broken"],
  [[], 3, "one of --trace, --session or --query is wanted"],
  [["--trace", "ff", "--limit", "few"], 3, '--limit takes a number of traces, not "few"'],
])("%j of a backend that has nothing ends with what is wrong", async (options, code, message) => {
  const server = createServer((request, response) => {
    response.statusCode = request.url?.startsWith("/api/services") ? 500 : 404;
    response.end("broken");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const cwd = directoryWith({});
  const io = capturedIo(cwd);
  const url = `http://127.0.0.1:${port}`;
  expect(await thoughtflow(["import", "jaeger", url, "--out", "flows", ...options], io)).toBe(code);
  expect(io.stderr()).toContain(message);
  expect(readdirSync(cwd).flatMap((name) => readdirSync(join(cwd, name)))).not.toContain(".json");
  server.close();
});

test("a backend that nobody is at is named", async () => {
  const io = capturedIo(directoryWith({}));
  const argv = ["import", "tempo", "http://127.0.0.1:9", "--trace", "ff", "--out", "flows"];
  expect(await thoughtflow(argv, io)).toBe(5);
  expect(io.stderr()).toContain("http://127.0.0.1:9 can't be reached: ");
});

test.each([
  [401, 4],
  [403, 4],
  [400, 1],
  [503, 5],
])("a backend that answers %i ends it with %i", async (status, code) => {
  const server = createServer((_, response) => {
    response.statusCode = status;
    response.end("no");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const io = capturedIo(directoryWith({}));
  const url = `http://127.0.0.1:${port}`;
  expect(await thoughtflow(["import", "jaeger", url, "--trace", "ff", "--out", "flows"], io)).toBe(
    code,
  );
  expect(io.stderr()).toContain(`answered ${status}: no`);
  server.close();
});
