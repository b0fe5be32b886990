import { type ImportedEdge, spanIdOf } from "../imported-span.ts";
import { membersOf, type PlainObject, textOf } from "../plain-values.ts";
import type { Thread } from "./threads.ts";

/** What agents of one session say to each other once they work. */
export interface ThreadMessages {
  /** An item of a thread's history, which may be a call that sends something. */
  sent(item: PlainObject): void;
  /** What the next call of a thread rests on, as it was told this; absent: the main thread. */
  heard(agentId: string | undefined, item: PlainObject, text: string): readonly ImportedEdge[];
  /** The same of what a tool gave: one that waits tells what agents that are done said last. */
  waited(result: unknown): readonly ImportedEdge[];
}

interface Sent {
  readonly words: string;
  readonly callId: string;
}

const NOTIFICATION = /<subagent_notification>\s*(\{[\s\S]*?\})\s*<\/subagent_notification>/g;

/** @param agents The threads of the session's sub-agents. */
export function createThreadMessages(sessionId: string, agents: readonly Thread[]): ThreadMessages {
  /** What was sent to each and not given to it yet. */
  const waiting = new Map<string, Sent[]>();

  /** The thread that an id, a path, or the end of one alone names. */
  function threadOf(name: string | undefined): string | undefined {
    if (name === undefined || name === "") return undefined;
    const own = agents.find(({ id, meta }) => id === name || meta?.path === name);
    if (own !== undefined) return own.id;
    const [one, ...others] = agents.filter(({ meta }) => meta?.path?.endsWith(`/${name}`));
    return others.length === 0 ? one?.id : undefined;
  }

  function handedBy(kind: "agent" | "tool", id: string): ImportedEdge {
    const to = `s_${spanIdOf("codex", sessionId, kind, id)}`;
    return { to, type: "handoff", origin: "observed" };
  }

  /** The call that sent these words to a thread. */
  function sentTo(agentId: string, text: string): readonly ImportedEdge[] {
    const all = waiting.get(agentId) ?? [];
    const at = all.findIndex(({ words }) => text.includes(words));
    return all.splice(at, at < 0 ? 0 : 1).map(({ callId }) => handedBy("tool", callId));
  }

  return {
    sent({ type, call_id, arguments: args }) {
      const callId = textOf(call_id);
      if (agents.length === 0 || type !== "function_call" || callId === undefined) return;
      const { target, id, message } = argumentsIn(args);
      const [to, words] = [threadOf(textOf(target) ?? textOf(id)), textOf(message)?.trim()];
      if (to === undefined || words === undefined || words === "") return;
      waiting.set(to, [...(waiting.get(to) ?? []), { words, callId }]);
    },
    heard(agentId, { author }, text) {
      const notified = [...text.matchAll(NOTIFICATION)].map(([, told]) =>
        textOf(argumentsIn(told)["agent_path"]),
      );
      const senders = [textOf(author), ...notified].flatMap((name) => threadOf(name) ?? []);
      const reports = [...new Set(senders)].filter((id) => id !== agentId);
      return [
        ...(agentId === undefined ? [] : sentTo(agentId, text)),
        ...reports.map((id) => handedBy("agent", id)),
      ];
    },
    waited(result) {
      if (agents.length === 0) return [];
      return Object.entries(membersOf(argumentsIn(result)["status"])).flatMap(([name, told]) => {
        const id = "completed" in membersOf(told) ? threadOf(name) : undefined;
        return id === undefined ? [] : [handedBy("agent", id)];
      });
    },
  };
}

/** What a JSON object holds that names somebody, or tells how some do; empty of other texts. */
function argumentsIn(text: unknown): PlainObject {
  if (typeof text !== "string" || !/"(?:target|id|agent_path|status)"/.test(text)) return {};
  try {
    return membersOf(JSON.parse(text));
  } catch {
    return {};
  }
}
