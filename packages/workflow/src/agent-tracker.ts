import { hash } from "node:crypto";
import { type GenAiMessage, isToolCallPart, wordsOf } from "@thoughtflow/semconv";
import { LruMap } from "./lru-map.ts";
import { comparable, comparableText, withoutReminders } from "./plain-message.ts";
import { type RequestKind, requestKindOf } from "./request-kind.ts";
import { createSessionInference, type PlacedCall } from "./session-inference.ts";

/** A request as a log has it, before its answer is looked at. */
export interface TrackedRequest {
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly ms: number;
  readonly messages: readonly GenAiMessage[];
  /** The system prompt; empty where there is none. */
  readonly system: string;
  /** How many tools it offers. */
  readonly tools: number;
  readonly maxTokens?: number | undefined;
  readonly previousResponseId?: string | undefined;
}

/** Another agent's request, and how sure it is that it has to do with this one. */
export interface AgentLink {
  readonly agentId: string;
  readonly requestId: string;
  /** Below 1. */
  readonly confidence: number;
}

/** A tool call whose arguments hold the new agent's first words. */
export interface AgentSpawn extends AgentLink {
  readonly toolCallId: string | undefined;
  /** Which of the tool calls of that answer it is, from 1. */
  readonly toolCall: number;
}

/** Who sent a request. */
export interface AgentMatch {
  /** `agent_<id of its first request>`. */
  readonly agentId: string;
  readonly kind: RequestKind;
  /** Of the system prompt: agents of one type have the same; 16 hex digits. */
  readonly type: string;
  /** The request whose history, with its answer, this one goes on from; absent for an agent's first. */
  readonly continues?: { readonly requestId: string; readonly confidence: number | undefined };
  /** How many leading messages are that request's and its answer. */
  readonly known: number;
  readonly spawn?: AgentSpawn;
  /** The agent whose history a summary replaced here. */
  readonly stretchOf?: AgentLink;
}

/** Tells the agents of a log apart, request by request, in the order of time. */
export interface AgentTracker {
  request(request: TrackedRequest): AgentMatch;
  /** What was answered: one message for each choice; empty where the request failed. */
  response(requestId: string, output: readonly GenAiMessage[], responseId?: string): void;
}

export interface AgentTrackerOptions {
  /** How many answers, prompts and requests are remembered, each. Default 10,000. */
  readonly limit?: number;
}

/** A prompt that is the same word by word; of several equal ones each is as likely. */
const CONFIDENCE_SAME_PROMPT = 0.95;
/** A summary that a new conversation begins with. */
const CONFIDENCE_SUMMARY = 0.9;
const SPAWN_WINDOW_MS = 3_600_000;
/** Shorter words are said by chance. */
const LEAST_PROMPT = 16;
const LEAST_SUMMARY = 200;
/** So many answers back a summary is looked for. */
const SUMMARIES = 100;

interface Prompt extends Omit<AgentSpawn, "confidence"> {
  readonly ms: number;
  isTaken: boolean;
}

/**
 * Agents by their histories: a request that begins with an earlier one and its answer goes on from it, whatever moved or
 * was put in between (cache marks, reminders, another form of the same content). The system prompt tells the type; an agent
 * that changes it stays the same. First words never join two agents. A new one is the child of the call whose arguments
 * hold its first words, or another stretch of the agent whose summary it begins with.
 */
export function createAgentTracker({ limit = 10_000 }: AgentTrackerOptions = {}): AgentTracker {
  const inference = createSessionInference({ limit });
  const open = new LruMap<string, { call: PlacedCall; match: AgentMatch; ms: number }>(limit);
  const prompts = new LruMap<string, readonly Prompt[]>(limit);
  let answers: {
    readonly ends: readonly string[];
    readonly link: Omit<AgentLink, "confidence">;
  }[] = [];

  function spawnOf(first: string, ms: number): AgentSpawn | undefined {
    const same = (prompts.get(first) ?? []).filter(
      (prompt) => !prompt.isTaken && prompt.ms <= ms && ms - prompt.ms <= SPAWN_WINDOW_MS,
    );
    const [prompt] = same;
    if (prompt === undefined) return undefined;
    prompt.isTaken = true;
    const { isTaken: _, ms: __, ...link } = prompt;
    return { ...link, confidence: CONFIDENCE_SAME_PROMPT / same.length };
  }

  function summaryIn(first: string): AgentLink | undefined {
    const words = withoutTags(first);
    const found = answers.findLast(({ ends }) => ends.some((end) => words.includes(end)));
    return found && { ...found.link, confidence: CONFIDENCE_SUMMARY };
  }

  return {
    request({ requestId, ms, messages, system, tools, maxTokens, previousResponseId }) {
      const plain = messages.map(withoutReminders);
      const call = inference.request({
        traceId: requestId,
        spanId: requestId,
        messages: plain,
        hasHistory: true,
        ...(previousResponseId !== undefined && { previousResponseId }),
      });
      const { continues, confidence } = call;
      const isKnown = continues !== undefined;
      const kind = requestKindOf({
        messages: messages.length,
        tools,
        maxTokens,
        continues: isKnown,
      });
      const agentId = isKnown ? continues.sessionId : call.sessionId;
      const type = hash("sha256", comparable(system)).slice(0, 16);
      const own = { agentId: agentNameOf(agentId), kind, type, known: isKnown ? call.known : 0 };
      const userSaid = plain.find(({ role }) => role === "user");
      const first = userSaid === undefined ? "" : comparableText(userSaid);
      const isNew = !isKnown && kind === "main";
      const spawn = isNew ? spawnOf(first, ms) : undefined;
      const stretchOf = isNew && spawn === undefined ? summaryIn(first) : undefined;
      const match: AgentMatch = {
        ...own,
        ...(isKnown && { continues: { requestId: continues.spanId, confidence } }),
        ...(spawn !== undefined && { spawn }),
        ...(stretchOf !== undefined && { stretchOf }),
      };
      open.set(requestId, { call, match, ms });
      return match;
    },

    response(requestId, output, responseId) {
      const asked = open.get(requestId);
      if (asked === undefined) return;
      const plain = output.map(withoutReminders);
      const id = responseId === undefined ? {} : { responseId };
      inference.response(asked.call, { output: plain, ...id });
      const { agentId } = asked.match;
      for (const { parts } of plain) {
        const text = withoutTags(wordsOf(parts));
        if (text.length >= LEAST_SUMMARY) {
          const ends = [text.slice(0, LEAST_SUMMARY), text.slice(-LEAST_SUMMARY)];
          answers = [...answers.slice(1 - SUMMARIES), { ends, link: { agentId, requestId } }];
        }
        for (const [n, part] of parts.filter(isToolCallPart).entries()) {
          for (const text of textsIn(part.arguments)) {
            const prompt: Prompt = {
              agentId,
              requestId,
              toolCallId: part.id,
              toolCall: n + 1,
              ms: asked.ms,
              isTaken: false,
            };
            prompts.set(text, [...(prompts.get(text) ?? []), prompt]);
          }
        }
      }
    },
  };
}

/** A client may take over a part of an answer and leave out its marks. */
function withoutTags(text: string): string {
  return comparable(text.replace(/<\/?\w+>/g, " "));
}

/** The inference names a conversation after the first call's trace. */
function agentNameOf(sessionId: string): string {
  return `agent_${sessionId.replace(/^s_/, "")}`;
}

/** What a tool call may tell another agent: its longer texts. */
function textsIn(args: unknown): ReadonlySet<string> {
  const values = typeof args === "object" && args !== null ? Object.values(args) : [args];
  const texts = values.filter((value) => typeof value === "string").map(comparable);
  return new Set(texts.filter((text) => text.length >= LEAST_PROMPT));
}
