import type { Attributes, Context, Span } from "@opentelemetry/api";
import { createContextKey, trace } from "@opentelemetry/api";
import { agree } from "@thoughtflow/dialects";
import {
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  GEN_AI_USAGE_PREFIX,
  THOUGHTFLOW_USAGE_PREFIX,
} from "@thoughtflow/semconv";
import { spansInside } from "@thoughtflow/tracing/internal";
import { peerCallOf } from "./peer-call.ts";

/** A span of another instrumentation, open around ours, that reports the same model call. */
export interface OuterCall {
  readonly spanId: string;
  /** It follows the GenAI conventions, and so its instrumentation keeps their metrics too. */
  readonly isGenAi: boolean;
}

const MARK = createContextKey("thoughtflow.model-call.v1");

/**
 * Says that the active span of a context reports a model call, for instrumentations whose spans don't say it in
 * attributes when they start. What is called inside counts as reported by that span.
 */
export function markModelCall(context: Context): Context {
  return context.setValue(MARK, trace.getSpanContext(context)?.spanId);
}

/** The open model call of another instrumentation that a call made in this context is part of. */
export function outerCallOf(caller: Context): OuterCall | undefined {
  const span = trace.getSpan(caller);
  if (span === undefined || !span.isRecording()) return undefined;
  const { spanId } = span.spanContext();
  const isGenAi =
    peerCallOf(span)?.isGenAi ?? (caller.getValue(MARK) === spanId ? false : undefined);
  return isGenAi === undefined ? undefined : { spanId, isGenAi };
}

/**
 * Whether a span of another instrumentation that began right below ours reports the same call: one that is loaded before
 * ours stands inside it. A call that the app makes from there, by a `fetch` of its own, has an answer of its own.
 */
export function isReportedInside(span: Span, found: Attributes): boolean {
  return spansInside(span).some((one) => {
    const inner = peerCallOf(one)?.attributes;
    return inner !== undefined && TOLD_BY_BOTH.every((name) => agree(inner[name], found[name]));
  });
}

const TOLD_BY_BOTH = [
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
];

/**
 * The attributes of a call that another span reports too: its tokens under names of our own. Backends add up what has the
 * conventions' name, and the other span is theirs to count; files know both.
 */
export function withOwnUsage(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name.startsWith(GEN_AI_USAGE_PREFIX)
        ? THOUGHTFLOW_USAGE_PREFIX + name.slice(GEN_AI_USAGE_PREFIX.length)
        : name,
      value,
    ]),
  );
}
