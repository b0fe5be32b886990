import { isToolCallResponsePart, type ToolCallResponsePart } from "@thoughtflow/semconv";
import { LruMap } from "@thoughtflow/workflow";
import type { LoggedExchange } from "./logged-exchange.ts";

/** A tool call by the conversation, or the log, that it stands in, and its own id there. */
export interface ToldCall {
  readonly conversation: string;
  readonly toolCallId: string;
  /** What its result names. */
  readonly id: string;
}

/** Agents whose ids are told when they are done: a tool's result holds one. */
export interface NamedByResults {
  /** A request that was logged, before its turn: what tools gave back in it, and the id of its answer. */
  logged(exchange: LoggedExchange, log: string): void;
  /** The tool calls whose results name the agent that a request is of, the first one first. */
  naming(exchange: LoggedExchange): readonly ToldCall[];
}

/** So many ids and agents are remembered. */
const REMEMBERED = 10_000;
/** So many answers of an agent: no more requests are logged before the first one's turn. */
const ANSWERS = 64;
/** What is longer is what somebody read, or a report, which tells at its end whose it is. */
const MOST_CHARACTERS = 4_000;
const END_CHARACTERS = 500;
/** Shorter ones are given again and again by some servers. */
const IDS = /[\w.:-]{16,128}/g;
const DIGIT = /\d/;

export function createNamedByResults(): NamedByResults {
  /** The first result that names an id. */
  const calls = new LruMap<string, ToldCall>(REMEMBERED);
  /** The answers of an agent, and its requests that failed, by what it is known by: its conversation, its own id, else its first answer. */
  const answers = new LruMap<string, string[]>(REMEMBERED);
  /** What the agent is known by that gave an answer. */
  const threads = new LruMap<string, string>(REMEMBERED);

  function threadOf(exchange: LoggedExchange): string | undefined {
    const { conversationId, agent, previousResponseId = "", responseId } = exchange;
    return conversationId ?? agent?.id ?? threads.get(previousResponseId) ?? responseId;
  }

  return {
    logged(exchange, log) {
      const { conversationId: conversation = log, messages, responseId } = exchange;
      const thread = threadOf(exchange);
      const id = responseId ?? exchange.failureId;
      if (thread !== undefined && id !== undefined) {
        threads.set(id, thread);
        answers.set(thread, [...(answers.get(thread) ?? []), id].slice(-ANSWERS));
      }
      const news = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
      for (const part of news.flatMap(({ parts }) => parts)) {
        if (!isToolCallResponsePart(part) || part.id === undefined) continue;
        for (const id of idsIn(part))
          if (calls.get(id) === undefined) calls.set(id, { conversation, toolCallId: part.id, id });
      }
    },
    naming(exchange) {
      const { conversationId, named = [] } = exchange;
      const thread = threadOf(exchange);
      const own = thread === undefined ? [] : (answers.get(thread) ?? []);
      const ids = [...(conversationId === undefined ? [] : [conversationId]), ...own, ...named];
      return ids
        .flatMap((id) => calls.get(id) ?? [])
        .filter(({ conversation }) => conversation !== conversationId);
    },
  };
}

function idsIn({ response }: ToolCallResponsePart): readonly string[] {
  const told = typeof response === "string" ? response : (JSON.stringify(response) ?? "");
  const text = told.length > MOST_CHARACTERS ? told.slice(-END_CHARACTERS) : told;
  // A piece of a text would keep all of it in memory.
  return [...text.matchAll(IDS)].flatMap(([id]) =>
    DIGIT.test(id) ? Buffer.from(id, "latin1").toString("latin1") : [],
  );
}
