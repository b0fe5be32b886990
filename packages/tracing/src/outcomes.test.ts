import { spawnSync } from "node:child_process";
import { SpanStatusCode } from "@opentelemetry/api";
import { expect, test } from "vitest";
import { contentOfSpan, exporter, spanNamed } from "../testing/told-spans.ts";
import { withRun, withStep, withToolCall } from "./index.ts";

test("results, promises and errors reach the caller as they are, and the span tells how it went", async () => {
  const failure = new RangeError("too far");
  expect(await withStep({ label: "node", name: "promise" }, async () => "value")).toBe("value");
  expect(withRun({ agent: "sync" }, () => 7)).toBe(7);
  expect(() =>
    withStep({ label: "node", name: "throws" }, () => {
      throw failure;
    }),
  ).toThrow(failure);
  await expect(
    withRun({ agent: "rejects" }, async () => {
      throw failure;
    }),
  ).rejects.toBe(failure);
  await expect(
    withToolCall({ name: "aborted" }, async () => {
      AbortSignal.abort().throwIfAborted();
    }),
  ).rejects.toThrow("aborted");
  expect(contentOfSpan("node promise")["thoughtflow.step.completed"]).toEqual({ result: "value" });
  for (const name of ["node throws", "invoke_agent rejects"]) {
    const { status, attributes, events } = spanNamed(name);
    expect({ status, type: attributes["error.type"], events: events.map((e) => e.name) }).toEqual({
      status: { code: SpanStatusCode.ERROR, message: "RangeError (7 characters)" },
      type: "RangeError",
      events: ["exception"],
    });
  }
  const { status, attributes } = spanNamed("execute_tool aborted");
  expect(status).toEqual({ code: SpanStatusCode.UNSET });
  expect(attributes["thoughtflow.step.status"]).toBe("cancelled");
});

test("a query that runs when it is awaited runs once, and stays the object that it is", async () => {
  let executions = 0;
  const query = {
    limit: 3,
    // biome-ignore lint/suspicious/noThenProperty: as query builders have it
    then(onFulfilled: (rows: string[]) => unknown, onRejected: (error: unknown) => unknown) {
      executions++;
      return Promise.resolve(["row"]).then(onFulfilled, onRejected);
    },
  };
  const returned = withStep({ label: "retrieval", name: "query" }, () => query);
  expect(returned).toBe(query);
  expect(executions).toBe(0);
  expect(exporter.getFinishedSpans()).toEqual([]);
  expect(await returned).toEqual(["row"]);
  expect(executions).toBe(1);
  expect(contentOfSpan("retrieval query")["thoughtflow.step.completed"]).toEqual({
    result: ["row"],
  });
});

test("a rejection that the program ignores ends the process as it does without us", () => {
  const program = `
    import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
    import { withRun } from "@thoughtflow/tracing";
    new NodeTracerProvider().register();
    withRun({ name: "main" }, async () => { throw new Error("nobody waits for me"); });
  `;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  expect({ status, told: stderr.includes("nobody waits for me") }).toEqual({
    status: 1,
    told: true,
  });
});

test("a step can say how it went without returning or throwing it", () => {
  withStep({ label: "retrieval", name: "docs" }, (step) => {
    step.setOutput(["a"]);
    step.recordError(new TypeError("half of it"));
    return "something else";
  });
  withStep({ label: "approval", name: "budget" }, (step) => step.setStatus("skipped"));
  expect(contentOfSpan("retrieval docs")["thoughtflow.step.completed"]).toEqual({ result: ["a"] });
  expect(spanNamed("retrieval docs")).toMatchObject({
    status: { code: SpanStatusCode.ERROR, message: "TypeError (10 characters)" },
    attributes: { "gen_ai.operation.name": "retrieval", "error.type": "TypeError" },
  });
  expect(spanNamed("approval budget").attributes["thoughtflow.step.status"]).toBe("skipped");
});
