import {
  type GenAiMessage,
  isToolCallPart,
  type ToolCallPart,
  wordsOf,
} from "@thoughtflow/semconv";
import { type AgentMatch, withoutReminders } from "@thoughtflow/workflow";
import { membersOf } from "../plain-values.ts";
import type { LoggedExchange } from "./logged-exchange.ts";

/** Goes by the ids that a client sends of its agents, where it sends any: ids before words. */
export interface NamedAgents {
  /**
   * Who sent a request, as its history tells or the client itself. `spawn.confidence` is 1 where the client names the agent
   * and one tool call only has its name or its words; `spawn.toolCall` is 0 where several calls of an answer are as likely.
   */
  place(exchange: LoggedExchange, match: AgentMatch): AgentMatch;
  /** The agent that the client names as the one above the sender, as far as it has sent requests before. */
  above(exchange: LoggedExchange): string | undefined;
  /** What a request was answered where nobody logged that. */
  foretold(exchange: LoggedExchange, answer: readonly GenAiMessage[]): void;
}

/** A tool call of an answer. */
interface Asked {
  readonly requestId: string;
  readonly call: ToolCallPart;
  /** Which of the tool calls of the answer it is, from 1. */
  readonly toolCall: number;
}

/** The main agent has no id. */
const MAIN = "";
/** So many tool calls of an agent may ask for others that begin later. */
const REMEMBERED = 100;
/** Shorter words are said by chance. */
const LEAST_WORDS = 8;
/** Who asked is sure, by which of its tool calls is not told. */
const CONFIDENCE_UNTOLD = 0.5;

/** @param spawning The tools that start agents; where an agent asked for none of them, any may have. */
export function createNamedAgents(spawning: ReadonlySet<string> = new Set()): NamedAgents {
  const agentIds = new Map<string, string>();
  /** What they asked for last. */
  const asked = new Map<string, readonly Asked[]>();
  /** Their latest requests, where nobody logged the answers: whom an agent asked for in one begins before its next. */
  const unanswered = new Map<string, string>();

  function spawnOf({ agent, agentName, messages }: LoggedExchange): AgentMatch["spawn"] {
    const parent = agent?.parentId ?? MAIN;
    const agentId = agentIds.get(parent);
    const calls = asked.get(parent) ?? [];
    const agentCalls = calls.filter(({ call }) => spawning.has(call.name));
    const first = messages.find(({ role }) => role === "user");
    const words = first === undefined ? "" : wordsOf(withoutReminders(first).parts).trim();
    // A script that starts several agents holds the words of each.
    const naming = agentCalls.filter(({ call }) => names(call, agentName));
    const telling =
      naming.length > 0 ? naming : agentCalls.filter(({ call }) => tells(call, words));
    const likely = agentCalls.length > 0 ? agentCalls : calls;
    const untold = telling.length > 0 ? undefined : unanswered.get(parent);
    if (agentId !== undefined && untold !== undefined)
      return {
        ...{ agentId, requestId: untold, toolCallId: undefined, toolCall: 0 },
        confidence: CONFIDENCE_UNTOLD,
      };
    const latest = telling.at(-1) ?? likely.at(-1);
    if (agentId === undefined || latest === undefined) return undefined;
    const { requestId, call, toolCall } = latest;
    if (telling.length > 0)
      return { agentId, requestId, toolCallId: call.id, toolCall, confidence: 1 / telling.length };
    const isOnly = likely.filter((one) => one.requestId === requestId).length === 1;
    return {
      agentId,
      requestId,
      toolCallId: isOnly ? call.id : undefined,
      toolCall: isOnly ? toolCall : 0,
      confidence: CONFIDENCE_UNTOLD,
    };
  }

  function remember({ agent, requestId }: LoggedExchange, answer: readonly GenAiMessage[]): void {
    const key = agent?.id ?? MAIN;
    const calls = answer.flatMap(({ parts }) => parts).filter(isToolCallPart);
    const own = calls.map((call, nth) => ({ requestId, call, toolCall: nth + 1 }));
    if (own.length > 0) asked.set(key, [...(asked.get(key) ?? []), ...own].slice(-REMEMBERED));
  }

  return {
    foretold: remember,
    above: ({ agent }) =>
      agent?.parentId === undefined ? undefined : agentIds.get(agent.parentId),
    place(exchange, match) {
      const { agent, output } = exchange;
      const key = agent?.id ?? MAIN;
      const known = agentIds.get(key);
      const isFirst = agent !== undefined && known === undefined;
      // It may begin with all that the agent was told which asked for it.
      const isForked = isFirst && [...agentIds.values()].includes(match.agentId);
      const isNew = isFirst && (isForked || match.continues === undefined);
      const spawn = isNew && match.spawn === undefined ? spawnOf(exchange) : undefined;
      const found = isForked ? `agent_${exchange.requestId}` : match.agentId;
      // Beside the main agent's requests there are others of none.
      if (agent !== undefined || match.kind === "main") {
        remember(exchange, output);
        if (output.length > 0) unanswered.delete(key);
        else unanswered.set(key, exchange.requestId);
        if (agent === undefined || known === undefined) agentIds.set(key, found);
      }
      const agentId = (agent === undefined ? undefined : known) ?? found;
      return { ...match, agentId, ...(spawn !== undefined && { spawn }) };
    },
  };
}

/** An argument is what the agent is called by its client. */
function names({ arguments: args }: ToolCallPart, agentName: string | undefined): boolean {
  return agentName !== undefined && Object.values(membersOf(args)).includes(agentName);
}

/** An argument holds the words, or they hold it behind a preamble. */
function tells({ arguments: args }: ToolCallPart, words: string): boolean {
  const texts = Object.values(membersOf(args)).filter((value) => typeof value === "string");
  const holds = (text: string, part: string) => part.length >= LEAST_WORDS && text.includes(part);
  return texts.some((text) => holds(text, words) || holds(words, text.trim()));
}
