import {
  type GenAiMessage,
  isTextPart,
  isToolCallPart,
  isToolCallResponsePart,
} from "@thoughtflow/semconv";
import { answerUpTo, comparable } from "./plain-message.ts";
import type { Spawn } from "./spawn-memory.ts";
import type { Ending } from "./twins.ts";

/** An agent that begins with all that another one was told: behind the answer that asked for it stands what it is to do. */
const CONFIDENCE_FORKED = 0.95;
/** Shorter words are said by chance. */
const LEAST_PROMPT = 16;

/** Tells who asked for such agents. */
export interface ForkedAgents {
  /** The one of these calls that began the next agent: each begins one before any begins two. */
  next(ending: Ending, calls: readonly ForkingCall[]): Spawn;
}

/** A tool call that began an agent so; which of those of its answer it is, from 1. */
export type ForkingCall = Pick<Spawn, "toolCallId" | "toolCall">;

export function createForkedAgents(): ForkedAgents {
  const taken = new WeakMap<Ending, Set<number>>();
  return {
    next(ending, calls) {
      const own = taken.get(ending) ?? new Set();
      const call = (calls.find(({ toolCall }) => !own.has(toolCall)) ?? calls[0]) as ForkingCall;
      taken.set(ending, own.add(call.toolCall));
      return { ...call, ending, confidence: CONFIDENCE_FORKED / calls.length };
    },
  };
}

/**
 * The tool calls of the answer that ends at `known` of which one began the conversation that goes on from it: beside a result for a
 * call of it, which any agent is given, the words stand there that they hold. Mostly none.
 */
export function forkingCalls(
  messages: readonly GenAiMessage[],
  known: number,
): readonly ForkingCall[] {
  const added = messages
    .slice(known)
    .filter(({ role }) => role !== "assistant")
    .flatMap(({ parts }) => parts);
  if (!added.some(isToolCallResponsePart)) return [];
  const told = added.filter(isTextPart).map(({ content }) => comparable(content));
  if (told.length === 0) return [];
  return answerUpTo(messages, known)
    .flatMap(({ parts }) => parts)
    .filter(isToolCallPart)
    .flatMap(({ id, arguments: args }, nth) =>
      promptsIn(args).some((prompt) => told.some((words) => words.includes(prompt)))
        ? [{ toolCallId: id, toolCall: nth + 1 }]
        : [],
    );
}

function promptsIn(args: unknown): readonly string[] {
  return Object.values(typeof args === "object" && args !== null ? args : {})
    .filter((value) => typeof value === "string")
    .map(comparable)
    .filter((text) => text.length >= LEAST_PROMPT);
}
