import { type Context, trace } from "@opentelemetry/api";
import type { Span } from "@opentelemetry/sdk-trace-node";
import { contentOf, noteSpanInside } from "@thoughtflow/tracing/internal";

/** Lets a model call know of a span that begins right below it: of another instrumentation, it may report the same call. */
export function noteInsideCall(span: Span, parentContext: Context): void {
  const outer = trace.getSpan(parentContext);
  if (outer === undefined) return;
  const content = contentOf(outer);
  if (content !== undefined && "dialect" in content) noteSpanInside(outer, span);
}
