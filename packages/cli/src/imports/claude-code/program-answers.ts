import type { SpanRecord } from "@thoughtflow/schema";
import type { Conversation } from "../conversation/conversation.ts";
import type { OddRecord } from "../conversation/conversation-runs.ts";
import type { TranscriptState } from "./transcript-state.ts";

/** What the program said in the place of answers: the next call is given it, and where none is, it is told as it is. */
export interface ProgramAnswers {
  /** @param message As it stands among the pending messages. */
  said(conversation: Conversation, message: string, record: OddRecord): void;
  /** A call is given these messages, or none will be: tells what is not among them. */
  given(conversation: Conversation, messages: readonly string[]): readonly SpanRecord[];
}

interface Said {
  readonly message: string;
  readonly record: OddRecord;
}

const NONE: readonly SpanRecord[] = [];

export function createProgramAnswers({
  spans,
  runs,
}: Pick<TranscriptState, "spans" | "runs">): ProgramAnswers {
  const waiting = new Map<Conversation, Said[]>();

  return {
    said(conversation, message, record) {
      const said = waiting.get(conversation);
      if (said === undefined) waiting.set(conversation, [{ message, record }]);
      else said.push({ message, record });
    },
    given(conversation, messages) {
      const said = waiting.get(conversation);
      if (said === undefined) return NONE;
      waiting.delete(conversation);
      const told: SpanRecord[] = [];
      for (const { message, record } of said) {
        if (messages.includes(message)) continue;
        const { agent } = conversation;
        const { name, payload, ms, number } = record;
        if (agent === undefined) runs.keep(record);
        else told.push(spans.generic(agent, name, payload, { ms, order: number }));
      }
      return told;
    },
  };
}
