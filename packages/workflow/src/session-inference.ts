import type { GenAiMessage } from "@thoughtflow/semconv";

/** What a model call says about the conversation it belongs to, before its answer is there. */
export interface ObservedRequest {
  readonly traceId: string;
  readonly spanId: string;
  /** The input as the call gives it. The same object for a message that was sent before, where possible. */
  readonly messages: readonly GenAiMessage[];
  /** `previous_response_id`. */
  readonly previousResponseId?: string;
  /** OpenAI `conversation`. */
  readonly conversationId?: string;
  /** The session that the context or an open run gives; nothing is inferred then, but the history is remembered. */
  readonly sessionId?: string;
  /** Whether the call has a history at all (chat, responses); embeddings and classifiers have none. */
  readonly hasHistory: boolean;
}

/** Where a call belongs. */
export interface SessionMatch {
  readonly sessionId: string;
  readonly origin: "declared" | "observed" | "inferred";
  /** Below 1, with origin `inferred` only. */
  readonly confidence?: number;
  /** Span id of the call that this one continues. */
  readonly continues?: string;
  /** How many leading messages of the input are that call's messages (input, then answer). */
  readonly known: number;
}

/** What a model call answered. */
export interface ObservedResponse {
  readonly spanId: string;
  readonly responseId?: string;
  /** One message for each choice. */
  readonly output: readonly GenAiMessage[];
}

/** Remembers the conversations of one process, bounded, and says which one a call continues. */
export interface SessionInference {
  request(call: ObservedRequest): SessionMatch;
  response(call: ObservedResponse): void;
}
