import type { ContentAttributes } from "@thoughtflow/schema";
import type { Conversation } from "../conversation/conversation.ts";
import { stepsOfTokens } from "../conversation/steps-of-tokens.ts";
import { inferencesWithin } from "../inferences-within.ts";
import { type PlainObject, textOf } from "../plain-values.ts";
import type { AgentConversations } from "./agent-conversations.ts";
import { createCountedTokens } from "./counted-tokens.ts";
import type { TranscriptLine } from "./records.ts";
import { createStreamLines } from "./stream-lines.ts";
import { notedIn, TASK_IS_DONE, toolsIn } from "./stream-notes.ts";
import type { TranscriptState } from "./transcript-state.ts";
import { createTurns } from "./turns.ts";

/** What a stream tells beyond a transcript: where turns begin and end, and the tokens of all of it. */
export interface StreamedSession {
  /** See `StreamLines`. */
  linesOf(line: TranscriptLine): readonly TranscriptLine[];
  left(): readonly TranscriptLine[];
  /** A record of an answer, before it is taken. */
  answered(line: TranscriptLine, conversation: Conversation): void;
  /** A record that is no message. Gives how many milliseconds it says have passed, where nothing else does. */
  take(line: TranscriptLine, ms: number): number;
  /** Whether anything was streamed. */
  readonly isThere: boolean;
  /** What a run keeps of a record that is no message. */
  notedIn(line: TranscriptLine): PlainObject | undefined;
}

export function createStreamedSession(
  state: TranscriptState,
  conversations: AgentConversations,
): StreamedSession {
  const { spans, told, runs, tools, spawns } = state;
  const turns = createTurns(state);
  const counted = createCountedTokens();
  const lines = createStreamLines({
    isWorking: () => turns.isWorking,
    isAsked: spawns.isAsked,
  });
  /** The tools of the main agent. */
  let setting: ContentAttributes | undefined;
  let isTimed = false;
  let isThere = false;

  function end(line: TranscriptLine, ms: number): number {
    const { main } = conversations;
    if (main !== undefined) told.push(...state.finishCall(main));
    const before = runs.current;
    told.push(...turns.ended(line, ms, isTimed));
    const home = runs.current ?? before;
    const beyond = counted.beyondCalls(line.record, ms);
    const time = { ms, order: line.number };
    if (home !== undefined) told.push(...stepsOfTokens(spans, home, beyond, time));
    const duration = line.record["duration_ms"];
    return isTimed || typeof duration !== "number" || duration < 0 ? 0 : duration;
  }

  return {
    linesOf(line) {
      isThere = true;
      if (line.time !== undefined) isTimed = true;
      return lines.linesOf(line);
    },
    left: lines.left,
    get isThere() {
      return isThere;
    },
    answered(line, conversation) {
      const isMain = conversation.agentId === undefined;
      if (isMain) turns.went(line);
      const { id, model, usage } = line.message;
      const messageId = textOf(id);
      if (messageId !== undefined && model !== "<synthetic>") {
        counted.called(messageId, { model: textOf(model), usage, isMain });
        for (const [nth, within] of inferencesWithin(line.message).entries())
          counted.called(`${messageId} ${nth}`, { ...within, isMain });
      }
      if (isMain) conversation.setting = setting;
    },
    take(line, ms) {
      if (line.name === "system init") {
        const named = toolsIn(line);
        setting = named.length === 0 ? undefined : spans.setting({ tools: named });
        // What was said in the turn before is long ago.
        if (!runs.isAsked && conversations.main !== undefined) conversations.main.last = undefined;
        turns.began(line);
        return 0;
      }
      return line.type === "result" ? end(line, ms) : 0;
    },
    notedIn(line) {
      // What a call waits for is told by its result.
      if (line.name === TASK_IS_DONE && tools.has(textOf(line.record["tool_use_id"]) ?? ""))
        return undefined;
      return notedIn(line);
    },
  };
}
