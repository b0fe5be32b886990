import type { GenAiPart } from "@thoughtflow/semconv";
import { messageOfAnthropic, partsOfAnthropic } from "../anthropic-message.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { createInherited } from "../conversation/inherited.ts";
import { isObject, textOf } from "../plain-values.ts";
import type { TranscriptLine } from "./records.ts";
import type { TranscriptState } from "./transcript-state.ts";

/**
 * Takes a record that the session copied from the one that it was forked from or goes on: its first own call is given what it
 * says, and nothing else is made of it. The other session has the call, with its tokens.
 */
export type TakeCopied = (line: TranscriptLine, conversation: Conversation) => void;

export function createCopiedRecords({ spans, places, calls, copied }: TranscriptState): TakeCopied {
  /** The answer that the last record was of: those of one answer have one message id. */
  let answer: { readonly id: string; readonly parts: GenAiPart[] } | undefined;

  return (line, conversation) => {
    const { content } = line.message;
    if (line.isCompactSummary) delete conversation.inherited;
    conversation.inherited ??= createInherited();
    const { inherited } = conversation;
    if (line.type === "assistant") {
      const id = textOf(line.message["id"]) ?? line.uuid ?? `line-${line.number}`;
      calls.add(id, undefined);
      copied(id);
      const parts = partsOfAnthropic(content);
      const isMore = answer?.id === id;
      answer = { id, parts: isMore ? [...(answer?.parts ?? []), ...parts] : [...parts] };
      const message = spans.message({ role: "assistant", parts: answer.parts });
      if (isMore) inherited.replaceLast(message);
      else inherited.add(message);
    } else {
      answer = undefined;
      const message = messageOfAnthropic("user", content);
      if (message.parts.length > 0) inherited.add(spans.message(message));
    }
    conversation.place = inherited.place(conversation.place.turn + 1);
    if (line.uuid !== undefined) places.set(line.uuid, conversation.place);
  };
}

/** Whether a record says itself that it was copied. */
export function isForked({ record }: TranscriptLine): boolean {
  return isObject(record["forkedFrom"]);
}

/** Whether an answer says that another session's request was answered: in 2.1.332 what a session copied says so. */
export function isOfOtherSession({ record, sessionId }: TranscriptLine): boolean {
  const asking = textOf(record["requestSessionId"]);
  return asking !== undefined && asking !== sessionId;
}
