import { spanIdOf, traceIdOf } from "../imported-span.ts";
import type { At, Began } from "./agent-events.ts";
import type { Agent, Conversation } from "./conversation.ts";
import type { ConversationRuns } from "./conversation-runs.ts";
import type { ConversationSource } from "./conversation-spans.ts";
import { START } from "./places.ts";
import type { Spawns } from "./spawns.ts";

/** The conversations of one session: that of the main agent, which has no id, and one for each sub-agent. */
export interface Conversations {
  /** The one in which something happens, which begins with that where nothing has said that it did. */
  of(where: Pick<At, "agentId" | "at">): Conversation;
  known(agentId: string | undefined): Conversation | undefined;
  /** A sub-agent begins, asked for by a tool call that its id tells, or what it is to do. */
  began(agent: Began): void;
  /** Nothing was at work until then: the call that comes next began no earlier. */
  rested(until: Pick<At, "agentId" | "at">): void;
  all(): Iterable<Conversation>;
}

const BEGUN = { place: START, call: undefined, compacted: undefined, last: undefined };

export function createConversations(
  { source, sessionId, report }: Pick<ConversationSource, "source" | "sessionId" | "report">,
  spawns: Pick<Spawns, "byTool" | "byPrompt">,
  runs: Pick<ConversationRuns, "at">,
): Conversations {
  const conversations = new Map<string | undefined, Conversation>();

  function began(agent: Began): Conversation {
    const { agentId, name, at, callId, prompt, among, below } = agent;
    const spawn =
      (callId === undefined ? undefined : spawns.byTool(callId)) ??
      (prompt === undefined ? undefined : spawns.byPrompt(prompt, at.ms, among));
    const home = homeOf(agent);
    if (spawn === undefined && home === undefined) report.unasked(sessionId, agentId);
    return begin({
      ...BEGUN,
      agentId,
      agent: {
        traceId: spawn?.task.traceId ?? home?.traceId ?? traceIdOf(source, sessionId, agentId),
        spanId: spanIdOf(source, sessionId, "agent", agentId),
        spawn,
        home: home?.spanId,
        ...(spawn === undefined && { above: below }),
        ...(name !== undefined && { name }),
        start: at,
        end: at,
      },
    });
  }

  /** What an agent stands in that no call asked for. */
  function homeOf({ below, askedAt, at }: Began): Pick<Agent, "traceId" | "spanId"> | undefined {
    const above = below && conversations.get(below.agentId)?.agent;
    const ms = askedAt ?? (below && at.ms);
    return above ?? (ms === undefined ? undefined : runs.at(ms));
  }

  function begin(conversation: Conversation): Conversation {
    conversations.set(conversation.agentId, conversation);
    return conversation;
  }

  return {
    of({ agentId, at }) {
      const known = conversations.get(agentId);
      if (known !== undefined) return known;
      return agentId === undefined ? begin({ ...BEGUN, agentId }) : began({ agentId, at });
    },
    known: (agentId) => conversations.get(agentId),
    began: (agent) => void began(agent),
    rested({ agentId, at: { ms } }) {
      const conversation = conversations.get(agentId);
      if (conversation !== undefined) conversation.last = Math.max(conversation.last ?? ms, ms);
    },
    all: () => conversations.values(),
  };
}
