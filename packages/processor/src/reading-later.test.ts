import { ROOT_CONTEXT, type Span, TraceFlags, trace } from "@opentelemetry/api";
import { expect, test } from "vitest";
import {
  chat,
  dir,
  eachInItsDirectory,
  sessionsIn,
  tracerWith,
  under,
} from "../testing/flow-of-spans.ts";
import { countsIn } from "../testing/flow-on.ts";
import { ThoughtFlowSpanProcessor } from "./thoughtflow-span-processor.ts";

eachInItsDirectory();

/** How often somebody reads what a span says. */
function readsOf(span: Span): () => number {
  const { attributes } = span as unknown as { attributes: object };
  let reads = 0;
  Object.defineProperty(span, "attributes", {
    get() {
      reads += 1;
      return attributes;
    },
  });
  return () => reads;
}

test("when a span begins, no more is read of what ended just now than it takes to know its session", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = tracerWith(processor);
  const other = tracer.startSpan("chat", { attributes: chat }, ROOT_CONTEXT);
  const root = tracer.startSpan("POST /ask", {}, ROOT_CONTEXT);
  const calls = ["first", "second", "third"].map(() =>
    tracer.startSpan("chat", { attributes: chat }, under(root)),
  );
  const [first, second, third] = calls as [Span, Span, Span];
  // As the instrumentation says it: when it is known.
  second.setAttribute("session.id", "talk");
  other.end();
  for (const call of calls) call.end();
  const reads = [other, first, second, third].map(readsOf);
  const next = tracer.startSpan("chat", { attributes: chat }, under(root));
  expect(reads.map((count) => count() > 0)).toEqual([false, true, true, false]);
  expect(next).toMatchObject({ attributes: { "session.id": "talk" } });
  next.end();
  root.end();
  await processor.forceFlush();
  expect(
    sessionsIn(dir)
      .flatMap(({ conversations }) => conversations.map(({ steps }) => steps.length))
      .toSorted(),
  ).toEqual([1, 4]);
});

test("spans are counted exactly when a trace that has ended goes on in the same turn", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = tracerWith(processor);
  const remote = trace.setSpanContext(ROOT_CONTEXT, {
    traceId: "1".repeat(32),
    spanId: "2".repeat(16),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
  for (let request = 0; request < 3; request += 1) tracer.startSpan("GET /", {}, remote).end();
  tracer.startSpan("chat", { attributes: chat }, ROOT_CONTEXT).end();
  await processor.forceFlush();
  expect(countsIn(dir)).toEqual({ started: 4, ended: 4, collected: 0, open: 0 });
});

test("what ended before a trace spoke of an agent is kept, up to a bound, and counted beyond it", async () => {
  const processor = new ThoughtFlowSpanProcessor({ dir });
  const tracer = tracerWith(processor);
  const root = tracer.startSpan("job", {}, ROOT_CONTEXT);
  for (let query = 0; query < 1_010; query += 1)
    tracer.startSpan(`query ${query}`, {}, under(root)).end();
  await processor.forceFlush();
  expect(sessionsIn(dir)).toEqual([]);
  tracer.startSpan("chat", { attributes: chat }, under(root)).end();
  root.end();
  await processor.forceFlush();
  const [session] = sessionsIn(dir);
  const steps = session?.conversations[0]?.steps ?? [];
  expect(steps.filter(({ label }) => label === "generic")).toHaveLength(1_000);
  expect(countsIn(dir)).toEqual({
    started: 1_012,
    ended: 1_012,
    collected: 0,
    open: 0,
    dropped: 10,
  });
});
