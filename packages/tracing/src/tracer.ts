import type { Context, Span, SpanOptions, Tracer } from "@opentelemetry/api";
import { isSpanContextValid, ProxyTracerProvider, trace } from "@opentelemetry/api";
import { GEN_AI_SCHEMA_URL } from "@thoughtflow/semconv";
import { attempt } from "./attempt.ts";
import { processState } from "./process-state.ts";

const SCOPE = "@thoughtflow/tracing";
const OPTIONS = { schemaUrl: GEN_AI_SCHEMA_URL };

const start = processState<{ prepare: (() => void) | undefined }>("tracing-start.v1", () => ({
  prepare: undefined,
}));

/**
 * Has something done once, right before the first tracing call of the process: a set-up that costs nothing to
 * programs that never trace. A second call replaces the first; after the first tracing call it waits for the next.
 */
export function beforeFirstSpan(prepare: () => void): void {
  start.prepare = prepare;
}

/** Does what `beforeFirstSpan` was given, if it is still to be done: for instrumentations, before they start a span. */
export function beginTracing(): void {
  const { prepare } = start;
  if (prepare === undefined) return;
  start.prepare = undefined;
  attempt(prepare);
}

/** The tracer of this package, or `undefined` while no provider is registered, or where it gives none. */
export function activeTracer(): Tracer | undefined {
  beginTracing();
  return attempt(() => {
    const provider = trace.getTracerProvider();
    return provider instanceof ProxyTracerProvider
      ? provider.getDelegateTracer(SCOPE, undefined, OPTIONS)
      : provider.getTracer(SCOPE, undefined, OPTIONS);
  });
}

/** A started span, or `undefined` where there can be none: tracing suppressed, or a processor that throws. */
export function startSpan(
  tracer: Tracer,
  name: string,
  options: SpanOptions,
  parent: Context,
): Span | undefined {
  return attempt(() => {
    const span = tracer.startSpan(name, options, parent);
    return isSpanContextValid(span.spanContext()) ? span : undefined;
  });
}

/** What is made of a span that was just started. Where that throws nobody else would end the span. */
export function madeOf<T>(span: Span, make: () => T, ended?: (span: Span) => void): T {
  try {
    return make();
  } catch (error) {
    attempt(() => span.end());
    attempt(() => ended?.(span));
    throw error;
  }
}

/** Ends a span that stands for a moment: it has no duration where the SDK tells when it began. */
export function endAtStart(span: Span): void {
  const { startTime } = span as { readonly startTime?: [number, number] };
  span.end(startTime);
}

/** Whether a span started in this context would be the first of its process in its trace: a run. */
export function isLocalRoot(parent: Context): boolean {
  const above = trace.getSpanContext(parent);
  return above === undefined || above.isRemote === true || !isSpanContextValid(above);
}
