import { DEFAULT_THOUGHT_TYPE } from "@thoughtflow/thoughts";
import { attempt } from "./attempt.ts";
import { logError } from "./log-error.ts";
import { processState } from "./process-state.ts";
import type { ThoughtOptions } from "./thought-options.ts";

/**
 * How a thought came to be known: the program said it, a model called the tool, wrote a tag into its text (as it comes, or
 * whole), or reasoned before it answered.
 */
export type ThoughtSource = "program" | "tool-call" | "content" | "content-delta" | "reasoning";

/** A thought, at the moment it is thought. */
export interface ThoughtStreamEvent {
  readonly kind: "thought-stream";
  /** The session. */
  readonly contextId: string | undefined;
  /** The run. */
  readonly taskId: string | undefined;
  readonly thoughtId: string;
  readonly thoughtType: string;
  readonly verbosity: string;
  /** The thought. */
  readonly content: string;
  /** From 0, over what listeners were told of the session. */
  readonly index: number;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly metadata: {
    readonly source: ThoughtSource;
    readonly confidence?: number | string;
    readonly alternatives?: readonly string[];
    readonly relatedTo?: string;
    /** The tool call by which a model gave it. */
    readonly toolCallId?: string;
  };
}

/** Told of each thought; what it throws is swallowed. */
export type ThoughtListener = (event: ThoughtStreamEvent) => void;

const listeners = processState("thought-listeners.v1", () => new Set<ThoughtListener>());

/**
 * Calls the listener with every thought of this process from now on, at once and in order, traced or not.
 *
 * @returns ends it.
 */
export function subscribeToThoughts(listener: ThoughtListener): () => void {
  // A function of its own: the same listener may be given twice.
  const own: ThoughtListener = (event) => listener(event);
  listeners.add(own);
  return () => {
    listeners.delete(own);
  };
}

/** Whether a thought has to be told to anybody. */
export function isAnybodyListening(): boolean {
  return listeners.size > 0;
}

/** How many sessions are counted. */
const SESSIONS_KEPT = 1_000;

const counts = processState("thought-events.v1", () => new Map<string | undefined, number>());

/** The event is made only where somebody listens; it gets its index here. */
export function publishThought(make: () => Omit<ThoughtStreamEvent, "index">): void {
  if (listeners.size === 0) return;
  const made = attempt(make);
  if (made === undefined) return;
  const index = counts.get(made.contextId) ?? 0;
  counts.delete(made.contextId);
  counts.set(made.contextId, index + 1);
  const [oldest] = counts.keys();
  if (counts.size > SESSIONS_KEPT) counts.delete(oldest);
  const event = { ...made, index };
  for (const listener of [...listeners]) {
    try {
      listener(event);
    } catch (error) {
      logError("thoughtflow: a listener to thoughts failed, the program goes on", error);
    }
  }
}

interface ThoughtMoment {
  readonly thoughtId: string;
  readonly contextId: string | undefined;
  readonly taskId: string | undefined;
  readonly source: ThoughtSource;
  readonly callId?: string | undefined;
}

/** A thought as listeners hear of it, as of now. */
export function thoughtEvent(
  { thought, type, verbosity, confidence, alternatives, relatedTo }: ThoughtOptions,
  { thoughtId, contextId, taskId, source, callId }: ThoughtMoment,
): Omit<ThoughtStreamEvent, "index"> {
  const about = typeof relatedTo === "object" ? relatedTo.id : relatedTo;
  return {
    kind: "thought-stream",
    contextId,
    taskId,
    thoughtId,
    thoughtType: type ?? DEFAULT_THOUGHT_TYPE,
    verbosity: verbosity ?? "normal",
    content: thought,
    timestamp: new Date().toISOString(),
    metadata: {
      source,
      ...(confidence !== undefined && { confidence }),
      ...(alternatives !== undefined && { alternatives }),
      ...(about !== undefined && { relatedTo: about }),
      ...(callId !== undefined && { toolCallId: callId }),
    },
  };
}
