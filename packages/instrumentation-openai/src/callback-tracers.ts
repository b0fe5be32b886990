import type { Context, Span } from "@opentelemetry/api";
import { context, trace } from "@opentelemetry/api";
import {
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_THOUGHTFLOW_OUTER_SPAN_ID,
  OPERATION_EMBEDDINGS,
} from "@thoughtflow/semconv";
import { openSpans } from "@thoughtflow/tracing/internal";
import { inOrder } from "./call-order.ts";
import type { ObservedEndpoint } from "./endpoints.ts";
import { tellAttributes } from "./late-telling.ts";
import type { ModelCall } from "./model-call.ts";
import { peerCallOf } from "./peer-call.ts";

/** Spans that a call was found to belong to: the next call belongs to another. */
const taken = new WeakSet<Span>();

/**
 * The context of a call that LangChain makes, where a tracer that LangChain calls back has opened a span for it: below that
 * span, which its tracer puts into no context. Without a span of the app around both, which says whose they are, only a span
 * that is alone is taken.
 *
 * @returns `undefined` for any other call
 */
export function insideCallback(
  endpoint: ObservedEndpoint,
  client: unknown,
  request: unknown,
): Context | undefined {
  if (!isOfLangChain(endpoint, client)) return undefined;
  const caller = context.active();
  const around = trace.getSpan(caller);
  if (around !== undefined && peerCallOf(around) !== undefined) return undefined;
  const found = callbackSpans(around?.spanContext().traceId, modelOf(request));
  const [first, ...others] = found;
  if (first === undefined || (around === undefined && others.length > 0)) return undefined;
  taken.add(first);
  return trace.setSpan(caller, first);
}

/**
 * Finds the span of such a tracer for a call that began before it: LangChain calls tracers back one after the other, and
 * goes on meanwhile. Calls that run side by side get the spans in the order of their beginnings.
 */
export function followCallback(call: ModelCall, endpoint: ObservedEndpoint, client: unknown): void {
  if (call.outer !== undefined || !isOfLangChain(endpoint, client)) return;
  inOrder(call, (late) => {
    const [first] = callbackSpans(late.span.spanContext().traceId, modelOf(late.content.request));
    const peer = first && peerCallOf(first);
    if (first === undefined || peer === undefined) return;
    taken.add(first);
    const { spanId } = first.spanContext();
    late.outer = { spanId, isGenAi: peer.isGenAi };
    tellAttributes(late.span, { [ATTR_THOUGHTFLOW_OUTER_SPAN_ID]: spanId });
  });
}

function callbackSpans(traceId: string | undefined, model: unknown): readonly Span[] {
  return openSpans().filter(
    (span) =>
      !taken.has(span) &&
      (traceId === undefined || span.spanContext().traceId === traceId) &&
      reports(span, model),
  );
}

function modelOf(request: unknown): unknown {
  return (request as { readonly model?: unknown } | null | undefined)?.model;
}

function reports(span: Span, model: unknown): boolean {
  const call = peerCallOf(span);
  if (call === undefined) return false;
  const told = call.attributes[ATTR_GEN_AI_REQUEST_MODEL];
  return told === undefined || told === model;
}

/** Its clients say so in their user agent. */
function isOfLangChain(endpoint: ObservedEndpoint, client: unknown): boolean {
  // LangChain calls nobody back about embeddings.
  if (endpoint.dialect.operation === OPERATION_EMBEDDINGS) return false;
  const { _options: options } = (client ?? {}) as {
    readonly _options?: { readonly defaultHeaders?: { readonly "User-Agent"?: unknown } };
  };
  const agent = options?.defaultHeaders?.["User-Agent"];
  return typeof agent === "string" && agent.startsWith("langchainjs-");
}
