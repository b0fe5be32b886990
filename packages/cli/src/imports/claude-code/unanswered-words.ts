import type { SpanRecord } from "@thoughtflow/schema";
import type { Conversation } from "../conversation/conversation.ts";
import type { OddRecord } from "../conversation/conversation-runs.ts";
import type { TranscriptState } from "./transcript-state.ts";

/**
 * What nothing but the next call tells: the program's words in the place of answers, prompts with pictures, what tools gave that
 * nobody here asked for. Where no call is given it, it is told as it is.
 */
export interface UnansweredWords {
  /**
   * @param message As it stands among the pending messages.
   * @returns takes it back: something else tells it.
   */
  said(conversation: Conversation, message: string, record: OddRecord): () => void;
  /** A call is given these messages, or none will be: tells what is not among them. */
  given(conversation: Conversation, messages: readonly string[]): readonly SpanRecord[];
}

interface Said {
  readonly message: string;
  readonly record: OddRecord;
}

const NONE: readonly SpanRecord[] = [];

export function createUnansweredWords({
  spans,
  runs,
}: Pick<TranscriptState, "spans" | "runs">): UnansweredWords {
  const waiting = new Map<Conversation, Set<Said>>();

  return {
    said(conversation, message, record) {
      const words = { message, record };
      const said = waiting.get(conversation) ?? new Set();
      waiting.set(conversation, said.add(words));
      return () => said.delete(words);
    },
    given(conversation, messages) {
      const said = waiting.get(conversation);
      if (said === undefined) return NONE;
      waiting.delete(conversation);
      const told: SpanRecord[] = [];
      const known = new Set(messages);
      for (const { message, record } of said) {
        if (known.has(message)) continue;
        const { agent } = conversation;
        const { name, payload, ms, number, more } = record;
        if (agent === undefined) runs.keep(record);
        else told.push(spans.generic(agent, name, payload, { ms, order: number }, more));
      }
      return told;
    },
  };
}
