import type { SpanRecord } from "@thoughtflow/schema";
import { ATTR_GEN_AI_REQUEST_REASONING_LEVEL, wordsOf } from "@thoughtflow/semconv";
import type { Answered, At } from "../conversation/agent-events.ts";
import type { AgentSession } from "../conversation/agent-session.ts";
import type { AgentSessionOptions } from "../conversation/agent-session-options.ts";
import { isObject, numberOf, type PlainObject, textOf, timeOf } from "../plain-values.ts";
import { commandText, entryOf, type PiEntry, partsOf, resultOf, usageOf } from "./records.ts";
import { agentsIn, printedIn, SPAWNING, TASK, type ToldAgent, tasksIn } from "./sub-agents.ts";
import { createSystemPrompt } from "./system-prompt.ts";

/** What sessions of Pi have in common. */
export const PI_SESSION: Omit<AgentSessionOptions, "sessionId" | "report"> = {
  source: "pi",
  agentName: "Pi",
  spawning: SPAWNING,
  promptsOf: tasksIn,
};

/** One session file: takes its entries in order. They are a tree: an entry follows the one that it names. */
export interface PiSession {
  take(entry: PiEntry): Iterable<SpanRecord>;
  /** Whether the last message is what a tool gave: if no other comes, the program was killed. */
  readonly isAtWork: boolean;
}

/** Of a call: an entry that was written later was written anew. */
const LONGEST_MS = 3_600_000;

const ROLES: ReadonlyMap<unknown, string> = new Map([
  ["user", "user"],
  ["assistant", "assistant"],
  ["toolResult", "tool"],
]);

/** The steps of the answers of a session file, `<trace id>/<step id>`, by their entries. */
export type AnsweredEntries = Map<string, string>;

export interface PiSessionOptions {
  /** What forks of this session may go on from. */
  readonly own?: AnsweredEntries | undefined;
  /** The same of the session that this one was forked from. */
  readonly parent?: AnsweredEntries | undefined;
  /** The sub-agent whose entries these are. Default: those of the main agent. */
  readonly agentId?: string;
  /** What it was forked from is nowhere else, and nobody went on with it: it is all that there is. Default false. */
  readonly isCopy?: boolean;
  /** Whether the session of this path is told, too. Default: none is. */
  readonly isHere?: (path: string) => boolean;
  /** Hears of each span that such a session tells. */
  readonly isElsewhere?: (spanId: string) => void;
  /** Until an entry tells its time, this is it: milliseconds since 1970. Default 0. */
  readonly startMs?: number;
  /** Hears of each answer that the provider has given an id, in a session that a sub-agent's program may have written. */
  readonly onAnswer?: (responseId: string) => void;
}

export function createPiSession(
  session: AgentSession,
  {
    own,
    parent,
    agentId,
    isCopy = false,
    isHere = () => false,
    isElsewhere = () => {},
    startMs = 0,
    onAnswer = () => {},
  }: PiSessionOptions = {},
): PiSession {
  let ms = startMs;
  /** What is said first is a sub-agent's task. */
  let isTask: boolean | undefined;
  /** What the next call goes on from, in the other session. */
  let continues: string | undefined;
  let level: string | undefined;
  /** Of the latest answer: who sums up is not told. */
  let model: Pick<Answered, "provider" | "model"> = {};
  const prompt = createSystemPrompt();
  /** When the session was made of another one: what is older was copied. */
  let forkedMs = 0;
  let isAtWork = false;

  /** @param writtenMs When the entry of it was written: an answer's, once it was whole. */
  function* message(message: PlainObject, here: At, writtenMs?: number): Generator<SpanRecord> {
    if (message["role"] === "system") {
      prompt.take(message);
      session.passed(here);
      return;
    }
    if (here.at.ms < forkedMs && inherit(message, here)) return;
    isAtWork = message["role"] === "toolResult";
    const lasted = durationOf(message);
    switch (message["role"]) {
      case "user":
        isTask ??= wordsOf(partsOf(message["content"])).startsWith(TASK);
        yield* session.said({ ...here, parts: partsOf(message["content"]) });
        break;
      case "assistant":
        yield* answer(message, here, writtenMs);
        break;
      case "toolResult":
        for (const [nth, agent] of agentsIn(message).entries())
          yield* subAgent(agent, `${here.key}-${nth}`, callIn(message), here);
        for (const printed of printedIn(message))
          yield* session.noted("output of a sub-agent", printed, here.at);
        yield* session.gave({
          ...here,
          start: lasted === undefined ? undefined : { ...here.at, ms: here.at.ms - lasted },
          callId: callIn(message) ?? "",
          result: resultOf(message["content"]),
          isError: message["isError"] === true,
        });
        break;
      case "bashExecution":
        if (message["excludeFromContext"] === true) {
          yield* session.noted("command", { text: commandText(message) }, here.at);
          session.passed(here);
        } else yield* meta(commandText(message), here);
        break;
      default:
        yield* session.said({ ...here, parts: partsOf(message["content"]), isMeta: true });
    }
  }

  function* subAgent(
    { name, messages, sums, file }: ToldAgent,
    agentId: string,
    callId: string | undefined,
    { at: { ms, order }, agentId: above }: At,
  ): Generator<SpanRecord> {
    const entries = messages.flatMap(
      (message, nth) => entryOf({ type: "message", id: `${agentId}/${nth}`, message }, order) ?? [],
    );
    const startMs = entries.find((entry) => entry.ms !== undefined)?.ms ?? ms;
    const at = { ms: startMs, order };
    session.began({ agentId, name, at, callId, below: { agentId: above } });
    const told = createPiSession(session, { agentId, isHere, isElsewhere, startMs });
    const spans = function* () {
      for (const entry of entries) yield* told.take(entry);
      if (entries.length === 0) yield* session.untold(sums, agentId);
    };
    // Its own session tells more.
    const isOwn = file !== undefined && isHere(file);
    for (const span of spans()) {
      if (isOwn) isElsewhere(span.spanId);
      else yield span;
    }
  }

  /** Whether it is a message between the person, the model and its tools. */
  function inherit(message: PlainObject, here: At): boolean {
    const role = ROLES.get(message["role"]);
    if (role === undefined) return false;
    const id = callIn(message);
    const parts =
      role === "tool"
        ? [
            {
              type: "tool_call_response" as const,
              ...(id !== undefined && { id }),
              response: resultOf(message["content"]),
            },
          ]
        : partsOf(message["content"]);
    session.inherited({ role, parts }, here);
    const step = parent?.get(here.key);
    if (step !== undefined) own?.set(here.key, step);
    continues = step ?? continues;
    return true;
  }

  function* answer(message: PlainObject, here: At, writtenMs = 0): Generator<SpanRecord> {
    const { at } = here;
    const responseId = textOf(message["responseId"]);
    if (responseId !== undefined && isTask === true) onAnswer(responseId);
    const lasted = durationOf(message);
    const wholeMs = lasted === undefined ? writtenMs : at.ms + lasted;
    const isTimed = wholeMs > at.ms && wholeMs - at.ms < LONGEST_MS;
    const ownLevel = textOf(message["thinkingLevel"]) ?? level;
    const stop = textOf(message["stopReason"]);
    const problem = textOf(message["errorMessage"]);
    model = {
      provider: textOf(message["provider"]),
      model: textOf(message["responseModel"]) ?? textOf(message["model"]),
    };
    const step = yield* session.answered({
      ...here,
      // Its message says when it was asked for.
      ...(isTimed && { at: { ...at, ms: wholeMs }, start: at }),
      messageId: responseId,
      // Servers of one's own count their ids anew.
      entry: here.key,
      parts: partsOf(message["content"]),
      ...model,
      usage: usageOf(message["usage"]),
      setting: prompt.takeChange(),
      stopReason: stop,
      error:
        stop === "error"
          ? { type: "api_error", ...(problem !== undefined && { message: problem }) }
          : undefined,
      more: ownLevel === undefined ? {} : { [ATTR_GEN_AI_REQUEST_REASONING_LEVEL]: ownLevel },
      continues,
    });
    continues = undefined;
    if (step !== undefined) own?.set(here.key, step);
    if (stop === "aborted" && agentId === undefined) yield* session.stopped("aborted");
  }

  /** A call that is no part of the conversation: what comes next goes on from where this one does. */
  function* aside(call: Partial<Answered>, usage: unknown, here: At): Generator<SpanRecord> {
    if (!isObject(usage) || here.at.ms < forkedMs) return;
    const key = `${here.key} aside`;
    yield* session.answered({ ...here, parts: [], ...model, ...call, key, usage: usageOf(usage) });
  }

  function summaryOf(record: PlainObject): string {
    return textOf(record["summary"]) ?? "";
  }

  function* summed(record: PlainObject, here: At): Generator<SpanRecord> {
    const parts = [{ type: "text" as const, content: summaryOf(record) }];
    yield* aside({ parts }, record["usage"], here);
  }

  function* meta(content: string, here: At): Generator<SpanRecord> {
    if (content !== "")
      yield* session.said({ ...here, parts: [{ type: "text", content }], isMeta: true });
  }

  return {
    get isAtWork() {
      return isAtWork;
    },
    *take({ type, id, parentId, number, ms: own, message: said, record }) {
      ms = own ?? ms;
      const at = { ms, order: number };
      const here: At = { key: id ?? `line-${number}`, at, agentId, after: parentId };
      switch (type) {
        case "message":
          yield* message(said, here, timeOf(record["timestamp"]));
          break;
        case "custom_message":
          yield* session.said({ ...here, parts: partsOf(record["content"]), isMeta: true });
          break;
        case "compaction":
          yield* summed(record, here);
          yield* session.compacted(here);
          if (isObject(record["systemMessage"])) prompt.replace(record["systemMessage"]);
          // What it follows is what it replaces.
          yield* meta(summaryOf(record), { ...here, after: undefined });
          break;
        case "branch_summary":
          yield* summed(record, here);
          yield* meta(summaryOf(record), here);
          break;
        case "usage": {
          const told = { provider: textOf(record["provider"]), model: textOf(record["model"]) };
          yield* aside(told, record["usage"], here);
          session.passed(here);
          break;
        }
        case "thinking_level_change":
          level = textOf(record["thinkingLevel"]) ?? level;
          session.passed(here);
          break;
        case "session_info": {
          const name = textOf(record["name"]);
          if (name !== undefined) session.title(name);
          session.passed(here);
          break;
        }
        case "label": {
          const label = textOf(record["label"]);
          if (label !== undefined) yield* session.noted("label", { text: label }, at);
          session.passed(here);
          break;
        }
        case "title": {
          const title = textOf(record["title"]);
          if (title !== undefined) session.title(title);
          break;
        }
        case "session":
          level = textOf(record["thinkingLevel"]);
          if (
            !isCopy &&
            (record["parentSession"] !== undefined || record["branchedFrom"] !== undefined)
          )
            forkedMs = ms;
          break;
        default:
          session.passed(here);
      }
    },
  };
}

/** How long an answer or a tool took, as versions since 1.2 say. */
function durationOf(message: PlainObject): number | undefined {
  const ms = numberOf(message["durationMs"]);
  return ms !== undefined && ms >= 0 && ms < LONGEST_MS ? ms : undefined;
}

/** The call that a result answers. */
function callIn(message: PlainObject): string | undefined {
  return textOf(message["toolCallId"]);
}
