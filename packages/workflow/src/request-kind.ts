/**
 * What a request is for: an agent's own work, something that the program asks beside it (a title, whether the topic is
 * new, which paths a command reads), or a probe whether it is answered at all.
 */
export type RequestKind = "main" | "side" | "probe";

export interface RequestShape {
  /** How many messages it has. */
  readonly messages: number;
  /** How many tools it offers. */
  readonly tools: number;
  readonly maxTokens: number | undefined;
  /** Whether its history is an agent's, or a tool call of an agent asked for it. */
  readonly belongs: boolean;
}

/** No program that works wants so short an answer. */
const PROBE_TOKENS = 1;

/** Told by the shape alone: a question of one message without tools is no agent that could do anything. */
export function requestKindOf({ messages, tools, maxTokens, belongs }: RequestShape): RequestKind {
  if (maxTokens !== undefined && maxTokens <= PROBE_TOKENS) return "probe";
  return tools === 0 && messages <= 1 && !belongs ? "side" : "main";
}
