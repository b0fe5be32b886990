import { context, trace } from "@opentelemetry/api";
import { NodeTracerProvider, type Span } from "@opentelemetry/sdk-trace-node";
import { expect, test } from "vitest";
import { createOpenSpans, type OpenSpan } from "./open-spans.ts";

const tracer = new NodeTracerProvider().getTracer("test");

function spanIn(parent: Span | undefined, name: string): Span {
  const inside = parent === undefined ? context.active() : trace.setSpan(context.active(), parent);
  return tracer.startSpan(name, {}, inside) as Span;
}

test("spans in which another one has ended are told, with all that is around them, each once", () => {
  const told: string[] = [];
  const spans = createOpenSpans({
    now: () => 0,
    onLong: ({ name }) => told.push(name),
    onCollected: () => {},
  });
  const open = new Map<string, OpenSpan>();
  const started = (parent: Span | undefined, name: string): Span => {
    const span = spanIn(parent, name);
    const { spanId } = span.spanContext();
    open.set(spanId, spans.start(span, { runId: "r", isRoot: false, rootSpanId: spanId }));
    return span;
  };
  const end = (span: Span): void => {
    const { spanId } = span.spanContext();
    const one = open.get(spanId);
    open.delete(spanId);
    if (one !== undefined) spans.end(one, open);
  };
  const run = started(undefined, "run");
  const step = started(run, "step");
  started(run, "beside");
  spans.tellDue();
  expect(told).toEqual([]);
  end(started(step, "first"));
  end(started(step, "second"));
  spans.tellDue();
  spans.tellDue();
  expect(told.toSorted()).toEqual(["run", "step"]);
  end(step);
  // Not of those that have ended by then.
  const other = started(run, "other");
  end(started(other, "third"));
  end(other);
  spans.tellDue();
  expect(told).toHaveLength(2);
});
