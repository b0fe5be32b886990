import type { Attributes, SpanRecord } from "@thoughtflow/schema";
import { ATTR_GEN_AI_REQUEST_REASONING_LEVEL, type GenAiPart, wordsOf } from "@thoughtflow/semconv";
import type { AgentSession } from "../conversation/agent-session.ts";
import { listOf, membersOf, textOf } from "../plain-values.ts";
import {
  addedTools,
  agentMessageOf,
  begunAgent,
  isFailure,
  isInjected,
  messageOf,
  metaOf,
  type RolloutLine,
  resultIn,
  startedAgent,
  tokensOf,
} from "./records.ts";

/** One thread: takes its lines in order. */
export interface RolloutThread {
  take(line: RolloutLine): Iterable<SpanRecord>;
  /** What is still open. */
  finish(): Iterable<SpanRecord>;
}

/** An answer of which more may come: its items are lines of their own, and its tokens come last. */
interface OpenAnswer {
  readonly parts: GenAiPart[];
  readonly first: RolloutLine;
  last: RolloutLine;
  readonly messageId: string | undefined;
  /** Results that came before the tokens. */
  readonly results: RolloutLine[];
}

/**
 * @param agentId The sub-agent that the thread is; absent in the main one.
 * @param started Which call started which thread, by its id or its path.
 */
export function createRolloutThread(
  session: AgentSession,
  agentId: string | undefined,
  started: Map<string, string>,
): RolloutThread {
  let provider: string | undefined;
  let model: string | undefined;
  let effort: string | undefined;
  let instructions: string | undefined;
  let tools: readonly unknown[] | undefined;
  let open: OpenAnswer | undefined;
  let total = "";
  let ms = 0;

  function here({ number, ms: own }: RolloutLine) {
    ms = own ?? ms;
    return { key: `${agentId ?? ""}line-${number}`, at: { ms, order: number }, agentId };
  }

  function* close(usage: Attributes = {}): Generator<SpanRecord> {
    if (open === undefined) return;
    const { parts, first, last, messageId, results } = open;
    open = undefined;
    const place = here(last);
    yield* session.answered({
      ...place,
      start: undefined,
      key: here(first).key,
      messageId,
      parts,
      provider,
      model,
      usage,
      more: effort === undefined ? {} : { [ATTR_GEN_AI_REQUEST_REASONING_LEVEL]: effort },
      setting: { instructions, tools },
    });
    instructions = undefined;
    tools = undefined;
    for (const line of results) yield* gave(line);
  }

  function* gave(line: RolloutLine): Generator<SpanRecord> {
    const message = messageOf(line.payload);
    const result = message && resultIn(message);
    if (result === undefined) return;
    const agent = startedAgent(result.result);
    if (agent !== undefined) started.set(agent, result.callId);
    yield* session.gave({ ...here(line), ...result, isError: isFailure(line.payload) });
  }

  /** What another agent said; the first of it is what a sub-agent was asked. */
  function* heard(line: RolloutLine): Generator<SpanRecord> {
    yield* close();
    const parts = agentMessageOf(line.payload);
    yield* session.said({ ...here(line), parts, isMeta: agentId === undefined });
  }

  function* item(line: RolloutLine): Generator<SpanRecord> {
    if (line.payload["type"] === "agent_message") {
      yield* heard(line);
      return;
    }
    const added = addedTools(line.payload);
    if (added !== undefined) {
      yield* close();
      tools = added;
      return;
    }
    const message = messageOf(line.payload);
    if (message === undefined) return;
    const { role, parts } = message;
    if (role === "tool") {
      if (open === undefined) yield* gave(line);
      else open.results.push(line);
    } else if (role === "assistant") {
      // An answer after results is another call, whose tokens were not told.
      if (open !== undefined && open.results.length > 0) yield* close();
      const isSaid = line.payload["type"] === "message" || line.payload["type"] === "reasoning";
      const messageId = isSaid ? textOf(line.payload["id"]) : undefined;
      open ??= { parts: [], first: line, last: line, messageId, results: [] };
      open.parts.push(...parts);
      open.last = line;
    } else {
      yield* close();
      const text = wordsOf(parts);
      if (role === "developer" || role === "system")
        instructions = instructions === undefined ? text : `${instructions}\n\n${text}`;
      else yield* session.said({ ...here(line), parts, isMeta: isInjected(text) });
    }
  }

  function* event(line: RolloutLine): Generator<SpanRecord> {
    const { payload } = line;
    switch (payload["type"]) {
      case "token_count": {
        const told = tokensOf(payload);
        // Told again when limits change.
        if (told.total === total) return;
        total = told.total;
        yield* close(told.usage);
        return;
      }
      case "sub_agent_activity": {
        const begun = begunAgent(payload);
        if (begun !== undefined) started.set(begun.agentId, begun.callId);
        return;
      }
      case "turn_aborted":
        yield* close();
        session.aborted();
    }
  }

  return {
    *take(line) {
      switch (line.kind) {
        case "session_meta": {
          const meta = metaOf(line.payload);
          provider ??= meta.provider;
          instructions ??= meta.instructions;
          return;
        }
        case "turn_context":
          yield* close();
          model = textOf(line.payload["model"]) ?? model;
          effort = textOf(line.payload["effort"]) ?? effort;
          return;
        case "response_item":
          yield* item(line);
          return;
        case "event_msg":
          yield* event(line);
          return;
        case "inter_agent_communication":
          yield* heard(line);
          return;
        case "compacted": {
          yield* close();
          yield* session.compacted(agentId);
          const summary = textOf(line.payload["message"]);
          const history = listOf(line.payload["replacement_history"]).flatMap(
            (one) => messageOf(membersOf(one))?.parts ?? [],
          );
          const parts =
            summary === undefined ? history : [{ type: "text" as const, content: summary }];
          if (parts.length > 0) yield* session.said({ ...here(line), parts, isMeta: true });
        }
      }
    },
    *finish() {
      yield* close();
    },
  };
}
