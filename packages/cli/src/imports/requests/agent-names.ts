import { type GenAiMessage, isToolCallPart } from "@thoughtflow/semconv";
import { type AgentMatch, LruMap, systemPromptOf } from "@thoughtflow/workflow";
import { membersOf, textOf } from "../plain-values.ts";
import type { LoggedExchange } from "./logged-exchange.ts";

/** What agents are called that have no name on the wire. */
export interface AgentNames {
  /** What an answer asked tools for: some of them name the agent that they start. */
  answered(requestId: string, answer: readonly GenAiMessage[]): void;
  /**
   * As the program names it in the request, or the tool call that asked for it; else what kind it is, behind a colon with the role that its system
   * prompt begins with, which is a label: several may have the same. An agent keeps the first.
   *
   * @param kind what it is called without either: a role is looked for behind `agent` and `sub-agent` only
   */
  nameOf(exchange: LoggedExchange, match: NamedMatch, kind: string): string;
}

/** The agent, and the tool call that asked for it. */
interface NamedMatch {
  readonly agentId: string;
  readonly spawn?: Pick<NonNullable<AgentMatch["spawn"]>, "requestId" | "toolCall">;
}

/** So many names are remembered. */
const REMEMBERED = 10_000;
/** Characters: what is longer describes somebody. */
const LONGEST = 40;
const KINDS: ReadonlySet<string> = new Set(["agent", "sub-agent"]);

/** A role, as far as what it is for. */
const ROLE =
  /^(?:#[^\n]*\s+)?You are (?:the|an?) ([\w' /&-]+?)(?=[^\w' /&-]|$| (?:that|who|whose|which|for|in|on|at|with|from|to|working|tasked|responsible|speciali[sz]\w+|designed|built|trained|created)\b)/;
/** What any model is told to be. */
const ANYBODY =
  /^(?:(?:very|highly|helpful|friendly|useful|smart|intelligent|powerful|large|language|ai|claude) )*(?:assistant|agent|model|ai|chatbot|bot|sub-?agent)$/i;

export function createAgentNames(): AgentNames {
  const called = new LruMap<string, string>(REMEMBERED);
  const names = new LruMap<string, string>(REMEMBERED);

  function ownName(exchange: LoggedExchange, { spawn }: NamedMatch, kind: string): string {
    const given = exchange.agentName ?? called.get(`${spawn?.requestId} ${spawn?.toolCall}`);
    const role = KINDS.has(kind) ? roleIn(systemPromptOf(exchange)) : undefined;
    return given ?? (role === undefined ? kind : `${kind}: ${role}`);
  }

  return {
    answered(requestId, answer) {
      const calls = answer.flatMap(({ parts }) => parts.filter(isToolCallPart));
      for (const [nth, { arguments: args }] of calls.entries()) {
        const { name, subagent_type: type, agent_name: agent } = membersOf(args);
        const given = [type, agent, name].map(shortText).find((one) => one !== undefined);
        if (given !== undefined) called.set(`${requestId} ${nth + 1}`, given);
      }
    },
    nameOf(exchange, match, kind) {
      const name = names.get(match.agentId) ?? ownName(exchange, match, kind);
      names.set(match.agentId, name);
      return name;
    },
  };
}

function roleIn(system: string): string | undefined {
  const role = ROLE.exec(system)?.[1]?.trim() ?? "";
  return role === "" || role.length > LONGEST || ANYBODY.test(role) ? undefined : role;
}

function shortText(value: unknown): string | undefined {
  const text = textOf(value)?.trim() ?? "";
  return text === "" || text.length > LONGEST ? undefined : text;
}
