import { isToolCallPart, isToolCallResponsePart } from "@thoughtflow/semconv";
import { createSpawnMemory, type Ending, LruMap, openingWords } from "@thoughtflow/workflow";
import { membersOf } from "../plain-values.ts";
import type { LoggedExchange } from "./logged-exchange.ts";
import { createNamedByResults } from "./named-by-results.ts";
import type { AskedBy } from "./request-spans.ts";

/**
 * Finds who asked for an agent that works in a conversation of its own which the provider keeps: its requests name that, and not
 * the session that it belongs to.
 */
export interface AskedConversations {
  /** A request before its turn: of an agent that begins earlier a result in it may tell. */
  logged(exchange: LoggedExchange, log: string): void;
  /** The answer that asked for the agent whose first request this is, and the log that the answer stands in. */
  askedBy(exchange: LoggedExchange): AskedFrom | undefined;
  /** The same by what the result of a tool call names alone. */
  namedBy(exchange: LoggedExchange): AskedFrom | undefined;
  /** Remembers what the answer of a request asks for, and what the request brings back. */
  told(exchange: LoggedExchange, log: string): void;
}

/** A tool call in a log. */
export type AskedFrom = AskedBy & { readonly log: string };

/** So many beginnings of prompts, ids and tool calls are remembered. */
const REMEMBERED = 10_000;
/** Shorter ones are given again and again by some servers. */
const ID = /^[\w.:-]{16,128}$/;

/** A tool call of an answer; of the answer alone where `toolCall` is 0. */
interface Known {
  readonly ending: Ending;
  readonly toolCallId?: string | undefined;
  readonly toolCall: number;
  /** What the request names that asks for it: an agent has an id of its own. */
  readonly ids?: readonly string[] | undefined;
}

/**
 * By ids first: one that the request names beside what it says, or that the tool call names, in its arguments or its result; by the
 * prompt second.
 */
export function createAskedConversations(): AskedConversations {
  const spawns = createSpawnMemory(REMEMBERED, "logged");
  /** By their own ids, which clients may send with what they ask of an agent. */
  const asked = new LruMap<string, Known>(REMEMBERED);
  /** By ids in the arguments of tool calls. */
  const named = new LruMap<string, Known>(REMEMBERED);
  const results = createNamedByResults();

  function byId({ conversationId = "", named: ids = [] }: LoggedExchange): Known | undefined {
    const known = ids.flatMap((id) => (ID.test(id) ? (asked.get(id) ?? []) : []));
    return known.find(({ toolCall }) => toolCall > 0) ?? named.get(conversationId) ?? known[0];
  }

  function byResult(exchange: LoggedExchange): Known | undefined {
    for (const { conversation, toolCallId, id } of results.naming(exchange)) {
      const known = asked.get(`${conversation} ${toolCallId}`);
      if (known !== undefined && known.ids?.includes(id) !== true) return known;
    }
    return undefined;
  }

  function fromOf({ ending, toolCallId, toolCall }: Known, confidence: number): AskedFrom {
    const log = ending.conversation.sessionId;
    return { log, requestId: ending.spanId, toolCallId, toolCall, confidence };
  }

  return {
    logged: results.logged,
    askedBy(exchange) {
      const { messages, startMs } = exchange;
      const known = byId(exchange) ?? byResult(exchange);
      if (known !== undefined) return fromOf(known, 1);
      const found = spawns.spawnOf(() => openingWords(messages), startMs, undefined);
      return found && fromOf(found, found.confidence);
    },
    namedBy(exchange) {
      const known = byResult(exchange);
      return known && fromOf(known, 1);
    },
    told({ requestId, responseId, startMs, messages, output, ...exchange }, log) {
      const conversationId = exchange.conversationId ?? log;
      const news = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
      for (const part of news.flatMap(({ parts }) => parts)) {
        const done = isToolCallResponsePart(part)
          ? asked.get(`${conversationId} ${part.id}`)
          : undefined;
        if (done !== undefined) done.ending.continued = true;
      }
      const calls = output.flatMap(({ parts }) => parts).filter(isToolCallPart);
      if (calls.length === 0) return;
      const conversation = { id: requestId, sessionId: log };
      const ending = { conversation, traceId: requestId, spanId: requestId, continued: false };
      if (responseId !== undefined) asked.set(responseId, { ending, toolCall: 0 });
      for (const [n, { id: toolCallId, arguments: args }] of calls.entries()) {
        const known = { ending, toolCallId, toolCall: n + 1, ids: exchange.named };
        asked.set(`${conversationId} ${toolCallId}`, known);
        if (toolCallId !== undefined) asked.set(toolCallId, known);
        for (const value of Object.values(membersOf(args)))
          if (typeof value === "string" && ID.test(value)) named.set(value, known);
      }
      spawns.asked(ending, startMs, calls);
    },
  };
}
