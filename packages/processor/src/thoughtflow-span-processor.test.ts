import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { NodeTracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace-node";
import { score } from "@thoughtflow/tracing";
import { expect, test } from "vitest";
import {
  chat,
  dir,
  eachInItsDirectory,
  sessionsIn,
  tracerWith,
  under,
} from "../testing/flow-of-spans.ts";
import { ThoughtFlowSpanProcessor } from "./thoughtflow-span-processor.ts";

eachInItsDirectory();

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
