import type { GenAiMessage, GenAiPart } from "@thoughtflow/semconv";
import type { Failure } from "./openai-failure.ts";

/** Attribute values as the OTel API takes them. */
export type DialectAttributes = Readonly<Record<string, string | number | boolean | string[]>>;

/**
 * How one provider API is read. All functions are pure and total: any value of any shape gives an answer, an
 * empty one where nothing fits; nothing is mutated or kept. `request` and `response` are the provider's own
 * objects, exactly as the caller passed them and got them back (a stream folded to the non-stream shape).
 */
export interface Dialect {
  /** `openai.chat`, `openai.responses` … */
  readonly name: string;
  /** `gen_ai.operation.name`. */
  readonly operation: string;
  /** The input in order, one item for each message or Responses item: the objects that JSON is memoised by. */
  inputItems(request: unknown): readonly unknown[];
  /** One input item as a message; `undefined` when it has nothing to show. */
  messageOf(item: unknown): GenAiMessage | undefined;
  /** Text that the API takes apart from the history (`instructions`). */
  systemInstructions(request: unknown): readonly GenAiPart[];
  /** The tools offered, each with `type` and `name`. */
  toolDefinitions(request: unknown): readonly unknown[];
  /** The schema that the answer has to fit; absent where the API has none. */
  outputSchema?(request: unknown): unknown;
  /** The answer, one message for each choice. */
  outputMessages(response: unknown): readonly GenAiMessage[];
  /** GenAI parameters without content. */
  requestAttributes(request: unknown): DialectAttributes;
  /** GenAI response attributes and usage without content. */
  responseAttributes(response: unknown): DialectAttributes;
  /** Why a response that came with HTTP 200 is a failure all the same (`status: "failed"`), else `undefined`. */
  failureOf(response: unknown): Failure | undefined;
  /**
   * Folds a stream's chunks to the non-stream response.
   *
   * @param onToolCall is called when a tool call of the answer begins and when one may be whole; perhaps more than once for each
   */
  createFold(onToolCall?: () => void): StreamFold;
}

/** Takes chunks one by one, in constant time each, holding text and not the chunks. */
export interface StreamFold {
  add(chunk: unknown): void;
  /** The response as far as it came; the same shape as without streaming. */
  response(): unknown;
}
