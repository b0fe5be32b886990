import type { Dialect } from "@thoughtflow/dialects";

/**
 * Content travels beside the span, by reference: what the program passed and got back, untouched until somebody
 * needs it as text. `materialise` makes the text, once.
 */
export type SpanContent = ModelCallContent | ValuesContent;

/** The provider's own objects of one model call. */
export interface ModelCallContent {
  readonly dialect: Dialect;
  /** A shallow copy of the parameters, the list of messages copied too; `undefined` once it was let go. */
  request: unknown;
  /** Absent until the answer is there; a stream's folded form. */
  response?: unknown;
  /** True when `response` was folded from a stream. */
  aggregated?: boolean;
  /** Makes what must be told of request and answer all the same; set when both may be let go. */
  beforeLettingGo?: () => void;
  /** Set when request and answer were let go: what stands for them. */
  letGo?: LetGo;
}

/** What is left of content that was let go: the attributes that told it, and of how many characters it was. */
export interface LetGo {
  readonly names: readonly string[];
  readonly characters: number;
}

/** Plain values by content attribute name, as a declared step has them. */
export interface ValuesContent {
  readonly values: Record<string, unknown>;
}

/** The same for every copy of this package. */
const CONTENT: unique symbol = Symbol.for("thoughtflow.content.v1");

interface WithContent {
  readonly [CONTENT]?: SpanContent;
}

/**
 * Puts content beside a span. A second call replaces the first. It is a hidden property: a map of weakly held spans
 * would cost each of them several microseconds as it grows.
 */
export function attachContent(span: object, content: SpanContent): void {
  Reflect.defineProperty(span, CONTENT, { value: content, configurable: true });
}

/** The content beside a span, if any. */
export function contentOf(span: object): SpanContent | undefined {
  return (span as WithContent)[CONTENT];
}
