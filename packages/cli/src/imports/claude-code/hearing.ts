import type { Conversation } from "../conversation/conversation.ts";
import { type ImportedEdge, spanIdOf } from "../imported-span.ts";
import { textOf } from "../plain-values.ts";
import { originOf, type TranscriptLine } from "./records.ts";
import { LEAD, wordsOfAgents } from "./teammates.ts";
import type { TranscriptState } from "./transcript-state.ts";

/** Looks who said what a conversation is given: the next call rests on it. */
export interface Hearing {
  said(line: TranscriptLine, text: string, conversation: Conversation, ms: number): void;
  /** The program says of something in the background that it is done, by one of its ids. */
  done(ids: readonly unknown[], conversation: Conversation): void;
}

/** What the agent of a team that has no other name is called. */
const MAIN_NAMES = ["main", LEAD];

/** Up to the next one, as a text may have as many as it likes. */
const NOTIFIED =
  /<task-notification>(?:(?!<task-notification>)[\s\S])*?<task-id>([^<]+)<\/task-id>/g;

/** @param isThere Whether a sub-agent with this id is, or will be, in the session. */
export function createHearing(
  { id, messages }: TranscriptState,
  isThere: (agentId: string) => boolean,
): Hearing {
  /** What a sub-agent that worked in the background came to. */
  function cameTo(ids: readonly unknown[]): readonly ImportedEdge[] {
    const agentId = ids.find((one) => typeof one === "string" && isThere(one));
    if (agentId === undefined) return [];
    const to = `s_${spanIdOf("claude-code", id, "agent", String(agentId))}`;
    return [{ to, type: "handoff", origin: "observed" }];
  }

  function hand(conversation: Conversation, edges: readonly ImportedEdge[]): void {
    if (edges.length > 0) conversation.handed = [...(conversation.handed ?? []), ...edges];
  }

  function* said(
    line: TranscriptLine,
    text: string,
    { agentId, agent }: Conversation,
    ms: number,
  ): Generator<ImportedEdge> {
    const { msg_id, from, body } = originOf(line);
    const messageId = textOf(msg_id);
    const told = wordsOfAgents(text);
    const own = textOf(line.record["agentName"]);
    const to =
      agentId === undefined ? [...MAIN_NAMES, own] : [agentId, agent?.spawn?.task.type, own];
    // Nobody but agents and the program speaks to a sub-agent.
    const other = textOf(body) ?? (agentId === undefined ? "" : text);
    const all = told.length > 0 ? told : [{ from: textOf(from), words: other }];
    for (const { from: sender, words } of all) {
      if (words === "" && messageId === undefined) continue;
      const edge = messages.heard({ sessionId: id, messageId, from: sender, words, to, ms });
      if (edge !== undefined) yield edge;
    }
  }

  return {
    said(line, text, conversation, ms) {
      const notified = [...text.matchAll(NOTIFIED)].flatMap(([, taskId]) => cameTo([taskId]));
      hand(conversation, [...notified, ...said(line, text, conversation, ms)]);
    },
    done: (ids, conversation) => hand(conversation, cameTo(ids)),
  };
}

/** Whether a line may hold what another agent said. */
export function mayBeHeard(text: string): boolean {
  return SIGNS.some((sign) => text.includes(sign));
}

const SIGNS = ["-message ", "teammate_mailbox", "coordinator", '"peer"'];
