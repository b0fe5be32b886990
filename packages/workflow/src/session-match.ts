import type { GenAiMessage } from "@thoughtflow/semconv";
import type { Tip } from "./history-chain.ts";
import type { Spawn, SpawnChoice } from "./spawn-memory.ts";
import type { Ending } from "./twins.ts";

/** What a model call says about the conversation it belongs to, before its answer is there. */
export interface ObservedRequest {
  readonly traceId: string;
  readonly spanId: string;
  /** The input as the call gives it. The same object for a message that was sent before, where possible. */
  readonly messages: readonly GenAiMessage[];
  /** When it was sent: milliseconds since any moment that all calls share. */
  readonly ms: number;
  /** `previous_response_id`. */
  readonly previousResponseId?: string;
  /** OpenAI `conversation`: the provider keeps its history, and the call shows what is new. */
  readonly conversationId?: string;
  /** The session that the context or an open run gives; nothing is inferred then, but the history is remembered. */
  readonly sessionId?: string;
  /** What kind of agent asks, in a log: another kind that says the same words is not this one. */
  readonly asker?: string;
  /** Names the system prompt, in a log: of those that said the same the one that had the same prompt is the likelier. */
  readonly prompt?: string;
  /** Whether the call has a history at all (chat, responses); embeddings and classifiers have none. */
  readonly hasHistory: boolean;
}

/** A call by its span. */
export interface ContinuedCall {
  readonly traceId: string;
  readonly spanId: string;
  readonly sessionId: string;
  /** Whether `previous_response_id` names it, whose session may be another one then, or `conversation` does. */
  readonly isNamed: boolean;
}

/** Where a call belongs. */
export interface SessionMatch {
  readonly sessionId: string;
  /** `inferred` when a history or a prompt told it; `observed` when an id did, or when the conversation is new. */
  readonly origin: "declared" | "observed" | "inferred";
  /** Below 1, with origin `inferred` only. */
  readonly confidence?: number;
  /** The call that this one continues. */
  readonly continues?: ContinuedCall;
  /** How many leading messages of the input are that call's messages (input, then answer). */
  readonly known: number;
  /** What is known of the input, if anything, is the end of that call's messages: the others were not sent again. */
  readonly isWindow?: boolean;
  /** Of a window: so many messages stand before those, beside instructions. Default 0. */
  readonly head?: number;
  /** Of a new conversation: the tool call that asked for it. */
  readonly spawn?: Spawn;
}

/** An earlier call, and how much of an input is its own: up to its answer, or all of it where it was asked before. */
export interface KnownBefore extends Pick<SessionMatch, "known" | "isWindow" | "head"> {
  readonly ending: Ending;
  readonly confidence: number;
}

/** A call in its place: what `response` wants back when the answer is there. */
export interface PlacedCall extends SessionMatch {
  /** Its input goes on from what that call was given, and not from what it answered. */
  readonly isFromQuestion?: boolean;
  /** Absent where the call has no history. */
  readonly question:
    | {
        readonly tip: Tip;
        readonly ending: Ending;
        readonly ms: number;
        readonly conversationId: string | undefined;
      }
    | undefined;
}

/** What a model call answered. */
export interface ObservedResponse {
  readonly responseId?: string;
  /** One message for each choice; empty where the call failed. */
  readonly output: readonly GenAiMessage[];
  /** It broke off: what was asked may be asked again. Default: where the output is empty. */
  readonly isCut?: boolean;
  /** When it was over, as `ms` of the request. Default: that. */
  readonly endMs?: number;
}

/** Remembers the conversations of one process, bounded, and says which one a call continues. */
export interface SessionInference {
  request(call: ObservedRequest): PlacedCall;
  /**
   * A call's answer is still coming, and another tool call in it has begun or may be whole: whoever begins with what one of
   * them holds so far belongs to it already.
   *
   * @param soFar the answer as far as it came; called later, and only where somebody may have begun so
   */
  answering(call: PlacedCall, soFar: () => readonly GenAiMessage[]): void;
  /** In a log: nothing tells what was answered, so that the call may be made again. */
  unanswered(call: PlacedCall): void;
  response(call: PlacedCall, response: ObservedResponse): void;
}

/** Where conversations go that nothing places, and how much is remembered. */
export interface SessionInferenceOptions {
  /** The session of conversations that nothing else places. Default: each gets its own, `s_<trace id>`. */
  readonly defaultSessionId?: string;
  /** How many answers, ids, prompts and traces are remembered, each. Default 10,000. */
  readonly limit?: number;
  /** Which tool calls may have begun a conversation. Default `waiting`. */
  readonly spawns?: SpawnChoice;
  /** The call that gave a response which nobody here remembers: one of another process, or of long ago. */
  readonly earlierResponse?: (responseId: string) => Omit<ContinuedCall, "isNamed"> | undefined;
}
