import type { Conversation, Run } from "../conversation/conversation.ts";
import type { ImportedTime } from "../imported-span.ts";
import type { TranscriptLine } from "./records.ts";

/**
 * The conversations in which something was to come: the model was asked, as a request or what a tool gave tells, or a tool worked.
 * Where it never came, the program was killed.
 */
export interface AwaitedAnswers {
  /** Something is to come in a conversation since then. */
  add(conversation: Conversation, since: ImportedTime): void;
  /** A person said something, which alone asks no model yet: more may be said before that. */
  said(conversation: Conversation, at: ImportedTime): void;
  /** The program says that the session was taken up again: nobody answered what was said last. */
  resumed(conversation: Conversation): void;
  /** Whether something is to come. */
  has(conversation: Conversation): boolean;
  /** It came, or nothing is to come any more. */
  delete(conversation: Conversation): void;
  /** What the program says to the model of itself. */
  told(conversation: Conversation, text: string): void;
  /** Nothing comes any more: a run that waits for it, or a sub-agent, was cut off. */
  cut(conversation: Conversation, run: Run | undefined): void;
  clear(): void;
}

/** What Claude Code says to a model that gave an empty answer. After another one the turn is over; neither is written down. */
const NOTHING_SEEN = /^\[Your previous response had no visible output/;

export function createAwaitedAnswers(): AwaitedAnswers {
  const since = new Map<Conversation, ImportedTime>();
  /** Those whose model is asked for the last time. */
  const last = new Set<Conversation>();
  /** When something was said that no request followed yet. */
  const said = new Map<Conversation, ImportedTime>();

  function end(conversation: Conversation): void {
    since.delete(conversation);
    last.delete(conversation);
    said.delete(conversation);
  }

  return {
    said(conversation, at) {
      said.set(conversation, at);
    },
    resumed(conversation) {
      const at = said.get(conversation);
      if (at !== undefined && !since.has(conversation)) since.set(conversation, at);
    },
    has: (conversation) => since.has(conversation),
    add(conversation, time) {
      if (!last.has(conversation)) since.set(conversation, time);
    },
    delete: end,
    told(conversation, text) {
      if (!NOTHING_SEEN.test(text)) return;
      since.delete(conversation);
      last.add(conversation);
    },
    cut(conversation, run) {
      const time = since.get(conversation);
      const { agent = run } = conversation;
      if (time === undefined || agent === undefined || isOver(conversation)) return;
      agent.status ??= "abandoned";
      if (time.ms > agent.end.ms) agent.end = time;
    },
    clear() {
      since.clear();
      last.clear();
      said.clear();
    },
  };
}

/** The call that asked for the sub-agent was given what came of it. */
function isOver({ agent }: Conversation): boolean {
  const { endMs, hasFailed = true } = agent?.spawn?.task ?? {};
  return agent !== undefined && endMs !== undefined && !hasFailed && agent.end.ms <= endMs;
}

/** Tools by which an answer is handed in: the model is not asked again. */
export const LAST_TOOLS: ReadonlySet<string> = new Set(["StructuredOutput"]);

const ENDS: ReadonlySet<string> = new Set([
  "attachment hook_stopped_continuation",
  "attachment max_turns_reached",
]);

/** Whether the program says that it asks the model no more, whatever the tools gave. */
export function isTurnsEnd({ name }: TranscriptLine): boolean {
  return ENDS.has(name);
}
