import type { Attributes, Span } from "@opentelemetry/api";
import {
  ATTR_AI_OPERATION_ID,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_LANGFUSE_OBSERVATION_TYPE,
  ATTR_LANGSMITH_SPAN_KIND,
  ATTR_LLM_REQUEST_TYPE,
  ATTR_OPENINFERENCE_SPAN_KIND,
  OPERATION_CHAT,
  OPERATION_EMBEDDINGS,
  OPERATION_GENERATE_CONTENT,
  OPERATION_TEXT_COMPLETION,
} from "@thoughtflow/semconv";
import { INSTRUMENTATION_NAME } from "./version.ts";

/** A model call as another instrumentation reports it. */
export interface PeerCall {
  /** By the GenAI conventions, and so its instrumentation keeps their metrics too. */
  readonly isGenAi: boolean;
  /** What it says of the call so far. */
  readonly attributes: Attributes;
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

/** What a span of another instrumentation reports, where that is one model call; what ours report is another call. */
export function peerCallOf(span: Span): PeerCall | undefined {
  const { attributes = {}, instrumentationScope } = readable(span);
  if (instrumentationScope?.name === INSTRUMENTATION_NAME) return undefined;
  if (GEN_AI_CALLS.has(attributes[ATTR_GEN_AI_OPERATION_NAME]))
    return { isGenAi: true, attributes };
  return SIGNS.some((sign) => isSignIn(attributes, sign))
    ? { isGenAi: false, attributes }
    : undefined;
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
