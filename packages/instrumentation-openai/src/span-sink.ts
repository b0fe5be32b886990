import type { SpanSink } from "./options.ts";

const CURRENT: unique symbol = Symbol.for("thoughtflow.span-sink.v1");

const holder = globalThis as { [CURRENT]?: SpanSink | undefined };

/**
 * Sets who is told of the spans of every instrumentation in the process that was given no `sink` of its own: a
 * set-up that writes files beside somebody else's provider. Holds for all copies of this package; `undefined` ends it.
 */
export function setSpanSink(sink: SpanSink | undefined): void {
  Object.defineProperty(holder, CURRENT, { value: sink, configurable: true });
}

/** Whoever is to be told when a span starts or ends. */
export const processSink: SpanSink = {
  onStart: (span, parentContext) => holder[CURRENT]?.onStart(span, parentContext),
  onEnd: (span) => holder[CURRENT]?.onEnd(span),
};
