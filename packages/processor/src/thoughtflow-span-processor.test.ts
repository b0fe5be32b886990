import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { context, ROOT_CONTEXT, type Span, trace } from "@opentelemetry/api";
import { NodeTracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { Session } from "@thoughtflow/schema";
import { score } from "@thoughtflow/tracing";
import { attachContent } from "@thoughtflow/tracing/internal";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ThoughtFlowSpanProcessor } from "./thoughtflow-span-processor.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "thoughtflow-processor-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const chat = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-5-mini" };

function tracerWith(...spanProcessors: SpanProcessor[]) {
  return new NodeTracerProvider({ spanProcessors }).getTracer("test");
}

function sessionsIn(folder: string): Session[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
}

function under(parent: Span) {
  return trace.setSpan(ROOT_CONTEXT, parent);
}

test("spans become one file a session, with its diagrams beside it", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = tracerWith(processor);
  const root = tracer.startSpan(
    "invoke_agent",
    { attributes: { "session.id": "talk" } },
    ROOT_CONTEXT,
  );
  const call = tracer.startSpan("chat gpt-5-mini", { attributes: chat }, under(root));
  call.end();
  root.end();
  await processor.forceFlush();
  expect(readdirSync(dir).toSorted()).toEqual([
    ".gitignore",
    ".journal",
    "talk.d2",
    "talk.json",
    "talk.svg",
  ]);
  const [session] = sessionsIn(dir);
  expect(session?.conversations[0]?.steps.map((step) => step.label)).toEqual(["assistant_call"]);
  expect(statSync(join(dir, "talk.json")).mode & 0o777).toBe(0o600);
});

test("session and run are stamped on every span of a flow, in the order of their starts", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = tracerWith(processor);
  const root = tracer.startSpan(
    "invoke_agent",
    { attributes: { ...chat, "session.id": "talk" } },
    ROOT_CONTEXT,
  );
  const child = tracer.startSpan("GET /", {}, under(root));
  const attributes = [root, child].map(
    (span) => (span as unknown as { attributes: Record<string, unknown> }).attributes,
  );
  const runId = `r_${root.spanContext().spanId}`;
  expect(attributes[1]).toMatchObject({ "session.id": "talk", "thoughtflow.run.id": runId });
  expect(attributes[0]).toMatchObject({ "thoughtflow.run.id": runId });
  expect(Number(attributes[1]?.["thoughtflow.seq"])).toBe(
    Number(attributes[0]?.["thoughtflow.seq"]) + 1,
  );
});

test("a parent that nobody told of stands for its run's root", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const request = tracerWith().startSpan("POST /ask", {}, ROOT_CONTEXT);
  const tracer = tracerWith(processor);
  for (let call = 0; call < 2; call++) {
    tracer
      .startSpan("chat", { attributes: { ...chat, "session.id": "talk" } }, under(request))
      .end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await processor.forceFlush();
  expect(
    sessionsIn(dir)[0]?.conversations.map(({ conversation_id, steps }) => [
      conversation_id,
      steps.length,
    ]),
  ).toEqual([[`r_${request.spanContext().spanId}`, 2]]);
});

test("spans that say nothing of an agent leave no file and no mark", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = tracerWith(processor);
  const request = tracer.startSpan("GET /health", {}, ROOT_CONTEXT);
  tracer.startSpan("SELECT", {}, under(request)).end();
  request.end();
  await processor.forceFlush();
  expect(readdirSync(dir)).toEqual([]);
  expect((request as unknown as { attributes: object }).attributes).toEqual({});
});

test("what other libraries did before the first model call keeps its place in the tree", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = tracerWith(processor);
  const request = tracer.startSpan("POST /ask", {}, ROOT_CONTEXT);
  tracer.startSpan("SELECT", {}, under(request)).end();
  await new Promise((resolve) => setImmediate(resolve));
  tracer.startSpan("chat", { attributes: { ...chat, "session.id": "talk" } }, under(request)).end();
  request.end();
  await processor.forceFlush();
  const [session] = sessionsIn(dir);
  expect(session?.conversations).toHaveLength(1);
  expect(
    session?.conversations[0]?.steps.map((step) => [step.label, step.payload_started?.["name"]]),
  ).toEqual([
    ["generic", "SELECT"],
    ["assistant_call", "chat"],
  ]);
});

test("a span that ends while ten thousand other traces are open is kept", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = tracerWith(processor);
  const call = tracer.startSpan(
    "chat",
    { attributes: { ...chat, "session.id": "talk" } },
    ROOT_CONTEXT,
  );
  for (let n = 0; n < 10_000; n++) tracer.startSpan("GET /", {}, ROOT_CONTEXT);
  call.end();
  await processor.forceFlush();
  expect(sessionsIn(dir).map((session) => session.completeness)).toEqual([{ status: "complete" }]);
});

test("several processors with one directory keep each span once", async () => {
  const processors = [new ThoughtFlowSpanProcessor({ dir }), new ThoughtFlowSpanProcessor({ dir })];
  const tracer = tracerWith(...processors);
  tracer.startSpan("chat", { attributes: { ...chat, "session.id": "talk" } }, ROOT_CONTEXT).end();
  for (const processor of processors) await processor.forceFlush();
  expect(sessionsIn(dir)[0]?.totals).toMatchObject({ steps: 1, model_calls: 1 });
  expect(readdirSync(join(dir, ".journal")).filter((name) => name.endsWith(".tfj"))).toHaveLength(
    1,
  );
});

test("with content off no word reaches the disk", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir, captureContent: false });
  const tracer = tracerWith(processor);
  const span = tracer.startSpan(
    "step",
    {
      attributes: {
        "thoughtflow.step.label": "node",
        "session.id": "talk",
        "gen_ai.input.messages": '"PLANTED"',
      },
    },
    ROOT_CONTEXT,
  );
  attachContent(span, { values: { "thoughtflow.step.started": { secret: "PLANTED" } } });
  span.recordException(new RangeError("PLANTED"));
  span.setStatus({ code: 2, message: "PLANTED" });
  span.end();
  await processor.forceFlush();
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(4);
  for (const { parentPath, name } of files) {
    expect(readFileSync(join(parentPath, name), "utf8"), name).not.toContain("PLANTED");
  }
});

test("secrets are masked in every place of a span before anything is written", async () => {
  const secret = `sk-proj-${"a1B2".repeat(12)}`;
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = tracerWith(processor);
  const span = tracer.startSpan(
    `call ${secret}`,
    {
      attributes: {
        ...chat,
        "session.id": "talk",
        url: `https://x/?key=${secret}`,
        [`limits.${secret}`]: 3,
      },
    },
    ROOT_CONTEXT,
  );
  attachContent(span, { values: { "thoughtflow.step.started": { text: `use ${secret}` } } });
  span.recordException(new Error(`401 for ${secret}`));
  span.setStatus({ code: 2, message: `bad key ${secret}` });
  span.addLink({ context: span.spanContext(), attributes: { note: secret } });
  span.end();
  await processor.forceFlush();
  for (const { parentPath, name } of readdirSync(dir, {
    recursive: true,
    withFileTypes: true,
  }).filter((entry) => entry.isFile())) {
    expect(readFileSync(join(parentPath, name), "utf8"), name).not.toContain(secret);
  }
  expect(JSON.stringify(sessionsIn(dir))).toContain("[redacted:");
});

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

test("odd spans never throw into the program", async () => {
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

test("a run that is open when the process ends is told, with the reason", () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = tracerWith(processor);
  const root = tracer.startSpan(
    "invoke_agent",
    { attributes: { "gen_ai.operation.name": "invoke_agent", "session.id": "talk" } },
    ROOT_CONTEXT,
  );
  tracer.startSpan("chat", { attributes: chat }, under(root));
  processor.flushSync("signal");
  const [session] = sessionsIn(dir);
  expect(session).toMatchObject({
    status: "aborted",
    completeness: { status: "partial", open_steps: [expect.stringMatching(/^r_/)] },
    conversations: [
      { status: "aborted", steps: [{ label: "assistant_call", status: "abandoned" }] },
    ],
  });
});

test("two writers of one session never overwrite each other's steps", async () => {
  const tracer = tracerWith(new ThoughtFlowSpanProcessor({ dir }));
  tracer
    .startSpan(
      "chat",
      { attributes: { ...chat, "session.id": "shared", "thoughtflow.step.id": "first" } },
      ROOT_CONTEXT,
    )
    .end();
  new ThoughtFlowSpanProcessor({ dir }).flushSync("process_exit");
  const { execFileSync } = await import("node:child_process");
  const program = `
    import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
    import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
    const provider = new NodeTracerProvider({ spanProcessors: [new ThoughtFlowSpanProcessor({ dir: ${JSON.stringify(dir)} })] });
    provider.getTracer("other").startSpan("chat", { attributes: ${JSON.stringify({ ...chat, "session.id": "shared", "thoughtflow.step.id": "second" })} }).end();
  `;
  execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: import.meta.dirname,
  });
  const [session] = sessionsIn(dir);
  expect(session?.conversations.flatMap((run) => run.steps.map((step) => step.step_id))).toEqual([
    "first",
    "second",
  ]);
});

test("a process that joins another's trace, and the one that began it, keep each other's steps", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = tracerWith(processor);
  const root = tracer.startSpan("invoke_agent", { attributes: chat }, ROOT_CONTEXT);
  const { traceId, spanId } = root.spanContext();
  const step = (id: string) => ({
    ...chat,
    "session.id": `s_${traceId}`,
    "thoughtflow.step.id": id,
  });
  tracer.startSpan("chat", { attributes: step("here") }, under(root)).end();
  const { execFileSync } = await import("node:child_process");
  const program = `
    import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
    import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
    import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
    const provider = new NodeTracerProvider({ spanProcessors: [new ThoughtFlowSpanProcessor({ dir: ${JSON.stringify(dir)} })] });
    const caller = trace.setSpanContext(ROOT_CONTEXT, ${JSON.stringify({ traceId, spanId, traceFlags: 1, isRemote: true })});
    provider.getTracer("other").startSpan("chat", { attributes: ${JSON.stringify(step("there"))} }, caller).end();
  `;
  execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: import.meta.dirname,
  });
  root.end();
  await processor.forceFlush();
  const steps = sessionsIn(dir).flatMap((session) =>
    session.conversations.flatMap((run) => run.steps.map((one) => one.step_id)),
  );
  expect(steps).toEqual(expect.arrayContaining(["here", "there"]));
});

test("the app's own processors see their spans as before", async () => {
  const seen: string[] = [];
  const own: SpanProcessor = {
    onStart: () => {},
    onEnd: (span) => void seen.push(span.name),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const tracer = tracerWith(new ThoughtFlowSpanProcessor({ dir }), own);
  context.with(ROOT_CONTEXT, () => tracer.startSpan("one").end());
  expect(seen).toEqual(["one"]);
});

test("scores stand beside the file, a line each", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const provider = new NodeTracerProvider({ spanProcessors: [processor] });
  trace.setGlobalTracerProvider(provider);
  try {
    provider
      .getTracer("test")
      .startSpan("chat", { attributes: { ...chat, "session.id": "talk" } }, ROOT_CONTEXT)
      .end();
    score({
      target: { session: "talk", step: "s1" },
      name: "relevance",
      value: 0.8,
      source: "human",
    });
    score({ target: { session: "talk" }, name: "mood", label: "fine" });
    await processor.forceFlush();
  } finally {
    trace.disable();
  }
  const lines = readFileSync(join(dir, "talk.scores.jsonl"), "utf8").trimEnd().split("\n");
  const scored_at = expect.any(String);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      target: { session: "talk", step: "s1" },
      name: "relevance",
      value: 0.8,
      source: "human",
      scored_at,
    },
    { target: { session: "talk" }, name: "mood", label: "fine", scored_at },
  ]);
});

test("what begins after its run's root has ended still belongs to that run", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = tracerWith(processor);
  const root = tracer.startSpan(
    "invoke_agent",
    { attributes: { "gen_ai.operation.name": "invoke_agent", "session.id": "talk" } },
    ROOT_CONTEXT,
  );
  root.end();
  await processor.forceFlush();
  const late = tracer.startSpan("GET /log", {}, under(root));
  late.end();
  await processor.forceFlush();
  expect((late as unknown as { attributes: object }).attributes).toMatchObject({
    "session.id": "talk",
    "thoughtflow.run.id": `r_${root.spanContext().spanId}`,
  });
  expect(sessionsIn(dir)[0]?.conversations.map((run) => run.steps.length)).toEqual([1]);
});

test("what the limits of a span have cut off is told in the document", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = new NodeTracerProvider({
    spanProcessors: [processor],
    spanLimits: { attributeCountLimit: 12, eventCountLimit: 1, linkCountLimit: 1 },
  }).getTracer("test");
  const call = tracer.startSpan("chat", { attributes: chat }, ROOT_CONTEXT);
  for (let n = 0; n < 20; n++) call.setAttribute(`app.note.${n}`, n);
  for (let n = 0; n < 3; n++) call.addEvent(`event ${n}`).addLink({ context: call.spanContext() });
  call.end();
  await processor.forceFlush();
  const [session] = sessionsIn(dir);
  expect(session?.completeness).toMatchObject({
    status: "partial",
    truncated: { events: 2, links: 2, attributes: expect.any(Number) },
  });
  const { attributes = 0 } = session?.completeness?.truncated ?? {};
  expect(attributes).toBeGreaterThan(8);
});
