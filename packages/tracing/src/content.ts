import type { Dialect } from "@thoughtflow/dialects";
import { processState } from "./process-state.ts";

/**
 * Content travels beside the span, by reference: what the program passed and got back, untouched until somebody
 * needs it as text. `materialise` makes the text, once.
 */
export type SpanContent = ModelCallContent | ValuesContent;

/** The provider's own objects of one model call. */
export interface ModelCallContent {
  readonly dialect: Dialect;
  /** A shallow copy of the parameters, the list of messages copied too. */
  readonly request: unknown;
  /** Absent until the answer is there; a stream's folded form. */
  response?: unknown;
  /** True when `response` was folded from a stream. */
  aggregated?: boolean;
}

/** Plain values by content attribute name, as a declared step has them. */
export interface ValuesContent {
  readonly values: Record<string, unknown>;
}

const contents = processState("content.v1", () => new WeakMap<object, SpanContent>());

/** Puts content beside a span. A second call replaces the first. */
export function attachContent(span: object, content: SpanContent): void {
  contents.set(span, content);
}

/** The content beside a span, if any. */
export function contentOf(span: object): SpanContent | undefined {
  return contents.get(span);
}
