import type { Attributes, Context, Span } from "@opentelemetry/api";
import { createContextKey, trace } from "@opentelemetry/api";
import {
  ATTR_AI_OPERATION_ID,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_LANGFUSE_OBSERVATION_TYPE,
  ATTR_LANGSMITH_SPAN_KIND,
  ATTR_LLM_REQUEST_TYPE,
  ATTR_OPENINFERENCE_SPAN_KIND,
  GEN_AI_USAGE_PREFIX,
  OPERATION_CHAT,
  OPERATION_EMBEDDINGS,
  OPERATION_GENERATE_CONTENT,
  OPERATION_TEXT_COMPLETION,
  THOUGHTFLOW_USAGE_PREFIX,
} from "@thoughtflow/semconv";
import { INSTRUMENTATION_NAME } from "./version.ts";

/** A span of another instrumentation, open around ours, that reports the same model call. */
export interface OuterCall {
  readonly spanId: string;
  /** It follows the GenAI conventions, and so its instrumentation keeps their metrics too. */
  readonly isGenAi: boolean;
}

/** What the attributes of a model call say, by emitter: one call, not the loop or the agent around several. */
const SIGNS: readonly (readonly [attribute: string, value: RegExp])[] = [
  [ATTR_OPENINFERENCE_SPAN_KIND, /^(?:LLM|EMBEDDING)$/],
  [ATTR_AI_OPERATION_ID, /\.do(?:Generate|Stream|Embed)$/],
  [ATTR_LLM_REQUEST_TYPE, /^(?:chat|completion|embedding)$/],
  [ATTR_LANGFUSE_OBSERVATION_TYPE, /^(?:generation|embedding)$/],
  [ATTR_LANGSMITH_SPAN_KIND, /^llm$/],
];

const GEN_AI_CALLS: ReadonlySet<unknown> = new Set([
  OPERATION_CHAT,
  OPERATION_TEXT_COMPLETION,
  OPERATION_GENERATE_CONTENT,
  OPERATION_EMBEDDINGS,
]);

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
  const { attributes, instrumentationScope } = readable(span);
  // A call that the app makes from inside one of ours (a `fetch` of its own) is another call.
  if (instrumentationScope?.name === INSTRUMENTATION_NAME) return undefined;
  if (GEN_AI_CALLS.has(attributes?.[ATTR_GEN_AI_OPERATION_NAME])) return { spanId, isGenAi: true };
  const isCall =
    caller.getValue(MARK) === spanId ||
    (attributes !== undefined && SIGNS.some((sign) => isSignIn(attributes, sign)));
  return isCall ? { spanId, isGenAi: false } : undefined;
}

function isSignIn(attributes: Attributes, [name, value]: (typeof SIGNS)[number]): boolean {
  const told = attributes[name];
  return told !== undefined && value.test(String(told));
}

interface ReadableShape {
  readonly attributes?: Attributes;
  readonly instrumentationScope?: { readonly name?: string };
  /** What OpenInference's own kind of span wraps. */
  readonly span?: ReadableShape;
}

function readable(span: Span): ReadableShape {
  const shape = span as ReadableShape;
  return shape.attributes === undefined ? (shape.span ?? shape) : shape;
}

/**
 * The attributes of a call that an outer span reports too: its tokens under names of our own. Backends add up what has the
 * conventions' name, and the outer span is theirs to count; files know both.
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
