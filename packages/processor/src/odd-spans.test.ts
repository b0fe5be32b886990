import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT_CONTEXT } from "@opentelemetry/api";
import { expect, test, vi } from "vitest";
import { chat, dir, eachInItsDirectory, sessionsIn, tracerWith } from "../testing/flow-of-spans.ts";
import { ThoughtFlowSpanProcessor } from "./thoughtflow-span-processor.ts";

eachInItsDirectory();

test("a session id of any shape stays inside the directory", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = tracerWith(processor);
  const ids = [
    "../../x",
    "/etc/passwd",
    "a\0b",
    "😀",
    "x".repeat(10_000),
    "latest",
    ".journal",
    "CON",
    "__proto__",
  ];
  for (const id of ids)
    tracer.startSpan("chat", { attributes: { ...chat, "session.id": id } }, ROOT_CONTEXT).end();
  await processor.forceFlush();
  const sessions = sessionsIn(dir);
  expect(new Set(sessions.map((session) => session.session_id))).toEqual(new Set(ids));
  expect(
    readdirSync(join(dir, ".."), { recursive: false }).filter((name) => name === "x.json"),
  ).toEqual([]);
});

test("a directory that can't be written is one loud warning and no harm", async () => {
  const file = join(dir, "a-file");
  writeFileSync(file, "");
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const processor = new ThoughtFlowSpanProcessor({ dir: join(file, "flows") });
  const tracer = tracerWith(processor);
  for (let n = 0; n < 3; n++) {
    tracer.startSpan("chat", { attributes: chat }, ROOT_CONTEXT).end();
    await processor.forceFlush();
  }
  processor.flushSync("process_exit");
  expect(warn.mock.calls.map(([, options]) => options)).toEqual([
    { type: "ThoughtFlowWarning", code: "THOUGHTFLOW_DIRECTORY" },
  ]);
  warn.mockRestore();
});

test("also when the process finds out only as it ends", async () => {
  const file = join(dir, "a-file");
  writeFileSync(file, "");
  const { spawnSync } = await import("node:child_process");
  const program = `
    import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
    import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
    const provider = new NodeTracerProvider({ spanProcessors: [new ThoughtFlowSpanProcessor({ dir: ${JSON.stringify(join(file, "flows"))} })] });
    provider.getTracer("app").startSpan("chat", { attributes: ${JSON.stringify(chat)} }).end();
    process.exit(7);
  `;
  const args = ["--input-type=module", "-e", program];
  const child = spawnSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" });
  expect(child.status).toBe(7);
  expect(child.stderr.match(/ThoughtFlowWarning/g)).toHaveLength(1);
});

test("odd spans never throw into the program; those that can't be read are counted", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = tracerWith(processor);
  const odd = Object.assign(Object.create(null), {
    "session.id": "talk",
    ...chat,
    nothing: null,
    nan: Number.NaN,
    date: new Date(Number.NaN),
    big: 1n,
    list: [1, null, "a"],
    nested: { a: 1 },
  });
  const span = tracer.startSpan(
    "chat",
    { attributes: odd, startTime: new Date(Number.NaN) },
    ROOT_CONTEXT,
  );
  Object.defineProperty((span as unknown as { attributes: object }).attributes, "bomb", {
    enumerable: true,
    get: () => {
      throw new Error("looked at");
    },
  });
  span.end();
  span.end();
  processor.onEnd({} as never);
  processor.onStart({} as never, ROOT_CONTEXT);
  await processor.forceFlush();
  expect(sessionsIn(dir)[0]?.totals).toMatchObject({ steps: 1 });
  const state = readdirSync(join(dir, ".journal")).find((name) => name.endsWith(".state.json"));
  const counts = JSON.parse(readFileSync(join(dir, ".journal", state ?? ""), "utf8"));
  expect(counts.inner_failures).toBe(2);
});

test("a clock that is set back while a span is open costs no file", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const span = tracerWith(processor).startSpan("chat", { attributes: chat }, ROOT_CONTEXT);
  span.end();
  Object.assign(span, { startTime: [58, -575_589_994], endTime: [57, -1] });
  await processor.forceFlush();
  expect(sessionsIn(dir)[0]?.conversations[0]?.steps[0]).toMatchObject({
    started_at: "1970-01-01T00:00:57.424Z",
  });
});
