import type { GenAiMessage } from "@thoughtflow/semconv";
import { atomsOf } from "./atoms.ts";
import { createTipMemo, type Tip } from "./history-chain.ts";
import { LruMap } from "./lru-map.ts";
import { createTwins, type Ending, type Twins } from "./twins.ts";

/** What a model call says about the conversation it belongs to, before its answer is there. */
export interface ObservedRequest {
  readonly traceId: string;
  readonly spanId: string;
  /** The input as the call gives it. The same object for a message that was sent before, where possible. */
  readonly messages: readonly GenAiMessage[];
  /** `previous_response_id`. */
  readonly previousResponseId?: string;
  /** OpenAI `conversation`. */
  readonly conversationId?: string;
  /** The session that the context or an open run gives; nothing is inferred then, but the history is remembered. */
  readonly sessionId?: string;
  /** Whether the call has a history at all (chat, responses); embeddings and classifiers have none. */
  readonly hasHistory: boolean;
}

/** A call by its span. */
export interface ContinuedCall {
  readonly traceId: string;
  readonly spanId: string;
}

/** Where a call belongs. */
export interface SessionMatch {
  readonly sessionId: string;
  /** `inferred` when a history told it; `observed` when an id did, or when the conversation is new. */
  readonly origin: "declared" | "observed" | "inferred";
  /** Below 1, with origin `inferred` only. */
  readonly confidence?: number;
  /** The call that this one continues. */
  readonly continues?: ContinuedCall;
  /** How many leading messages of the input are that call's messages (input, then answer). */
  readonly known: number;
}

/** What a model call answered. */
export interface ObservedResponse {
  readonly spanId: string;
  readonly responseId?: string;
  /** One message for each choice; empty where the call failed. */
  readonly output: readonly GenAiMessage[];
}

/** Remembers the conversations of one process, bounded, and says which one a call continues. */
export interface SessionInference {
  request(call: ObservedRequest): SessionMatch;
  response(call: ObservedResponse): void;
}

export interface SessionInferenceOptions {
  /** The session of conversations that nothing else places. Default: each gets its own, `s_<trace id>`. */
  readonly defaultSessionId?: string;
  /** How many answers, ids and traces are remembered, each. Default 10,000. */
  readonly limit?: number;
}

interface OpenCall {
  readonly sessionId: string;
  readonly traceId: string;
  readonly tip: Tip;
}

/** One history fits one earlier answer; the very message objects of that conversation fit better still. */
const CONFIDENCE_SAME_TEXT = 0.95;
const CONFIDENCE_SAME_OBJECTS = 0.99;
/** The beginning was cut off; the last answer and message objects remain. */
const CONFIDENCE_WINDOW = 0.9;

/**
 * Session inference by history: a call whose input begins with an earlier call's input and answer continues it.
 * Equal first words never join two conversations; where several conversations stand at the very same words, the
 * message objects tell them apart, and without those each is continued once before any is continued twice.
 * Costs one hash for each message object not seen before.
 */
export function createSessionInference(options: SessionInferenceOptions = {}): SessionInference {
  const { defaultSessionId, limit = 10_000 } = options;
  const answers = new LruMap<Tip, Twins>(limit);
  const questions = new LruMap<string, Ending>(limit);
  const responses = new LruMap<string, Ending>(limit);
  const traces = new LruMap<string, string>(limit);
  const failures = new LruMap<Tip, Ending>(limit);
  const open = new LruMap<string, OpenCall>(limit);
  const speakers = new LruMap<string, Set<string>>(limit);
  const owners = new WeakMap<GenAiMessage, string>();
  const tipAfter = createTipMemo();
  let miscellany: string | undefined;

  function match(call: ObservedRequest, tips: readonly Tip[]): SessionMatch {
    const { sessionId, conversationId, previousResponseId } = call;
    const given = sessionId ?? conversationId;
    const previous =
      previousResponseId === undefined ? undefined : responses.get(previousResponseId);
    if (previous !== undefined && (given === undefined || given === previous.sessionId)) {
      const origin = sessionId === undefined ? "observed" : "declared";
      return { sessionId: previous.sessionId, origin, continues: callOf(previous), known: 0 };
    }
    const history = longestKnown(call, tips, given);
    if (given !== undefined) {
      const origin = sessionId === undefined ? "observed" : "declared";
      return { known: 0, ...history?.place, sessionId: given, origin };
    }
    if (history !== undefined) {
      return { ...history.place, origin: "inferred", confidence: history.confidence };
    }
    const failed = failures.get(tips.at(-1) ?? "");
    if (failed !== undefined && failed.sessionId === ownerOf(call.messages)) {
      const { sessionId } = failed;
      const continues = callOf(failed);
      const known = call.messages.length;
      return {
        sessionId,
        origin: "inferred",
        confidence: CONFIDENCE_SAME_OBJECTS,
        continues,
        known,
      };
    }
    const cut = windowOn(call.messages);
    if (cut !== undefined) {
      return { sessionId: cut, origin: "inferred", confidence: CONFIDENCE_WINDOW, known: 0 };
    }
    const fresh = traces.get(call.traceId) ?? defaultSessionId ?? `s_${call.traceId}`;
    return { sessionId: fresh, origin: "observed", known: 0 };
  }

  /**
   * The session of which an input shows the end alone: its last answer was given there, and the message object
   * before it was sent there. Neither is enough: people share words, and programs share examples.
   */
  function windowOn(messages: readonly GenAiMessage[]): string | undefined {
    const at = messages.findLastIndex(({ role }) => role === "assistant");
    const [before, last] = messages.slice(Math.max(0, at - 1), at + 1);
    if (before === undefined || last === undefined) return undefined;
    const sessionId = owners.get(last) ?? owners.get(before);
    if (sessionId === undefined) return undefined;
    return speakers.get(briefOf(last))?.has(sessionId) ? sessionId : undefined;
  }

  /** Where the last message that somebody said was sent first, as the very same object. */
  function ownerOf(messages: readonly GenAiMessage[]): string | undefined {
    return messages.map((message) => owners.get(message)).findLast((id) => id !== undefined);
  }

  /** The earlier call whose messages cover the longest part of this input. */
  function longestKnown(
    call: ObservedRequest,
    tips: readonly Tip[],
    sessionId: string | undefined,
  ) {
    for (let known = tips.length; known > 0; known--) {
      const tip = tips[known - 1];
      const twins = tip === undefined ? undefined : answers.get(tip);
      const found = twins && choose(twins, call.messages.slice(0, known), sessionId);
      if (found === undefined) continue;
      const { ending, confidence } = found;
      const place = askedAgain(ending, tips, known);
      return { place, confidence };
    }
    return undefined;
  }

  /** Past an answer, the same question may have been asked before: a retry knows that message too. */
  function askedAgain(ending: Ending, tips: readonly Tip[], known: number) {
    const { sessionId } = ending;
    for (let more = tips.length; more > known; more--) {
      const question = questions.get(`${sessionId} ${tips[more - 1]}`);
      if (question !== undefined) return { sessionId, continues: callOf(question), known: more };
    }
    ending.continued = true;
    return { sessionId, continues: callOf(ending), known };
  }

  function choose(twins: Twins, messages: readonly GenAiMessage[], sessionId: string | undefined) {
    const owner =
      sessionId ??
      messages
        .map((message) => owners.get(message))
        .findLast((id) => id !== undefined && twins.of(id) !== undefined);
    const own = owner === undefined ? undefined : twins.of(owner);
    if (own !== undefined) return { ending: own, confidence: CONFIDENCE_SAME_OBJECTS };
    if (sessionId !== undefined) return undefined;
    return { ending: twins.next(), confidence: CONFIDENCE_SAME_TEXT / twins.sessions };
  }

  return {
    request(call) {
      if (!call.hasHistory) {
        const sessionId = call.sessionId ?? traces.get(call.traceId);
        if (sessionId !== undefined) {
          const origin = call.sessionId === undefined ? "observed" : "declared";
          return { sessionId, origin, known: 0 };
        }
        miscellany ??= defaultSessionId ?? `misc_${call.traceId}`;
        return { sessionId: miscellany, origin: "observed", known: 0 };
      }
      const tips: Tip[] = [];
      const told: GenAiMessage[] = [];
      let tip: Tip =
        call.previousResponseId === undefined ? "" : `after ${call.previousResponseId}`;
      for (const message of call.messages) {
        const after = tipAfter(tip, message);
        if (after !== tip && !owners.has(message)) told.push(message);
        tip = after;
        tips.push(tip);
      }
      const found = match(call, tips);
      const { sessionId } = found;
      for (const message of told) owners.set(message, sessionId);
      if (traces.get(call.traceId) === undefined) traces.set(call.traceId, sessionId);
      const { traceId, spanId } = call;
      questions.set(`${sessionId} ${tip}`, { sessionId, traceId, spanId, continued: false });
      open.set(spanId, { sessionId, traceId, tip });
      return found;
    },

    response({ spanId, responseId, output }) {
      const call = open.get(spanId);
      if (call === undefined) return;
      const { sessionId, traceId } = call;
      const ending: Ending = { sessionId, traceId, spanId, continued: false };
      if (responseId !== undefined) responses.set(responseId, ending);
      if (output.length === 0) failures.set(call.tip, ending);
      for (const message of output) {
        const tip = tipAfter(call.tip, message);
        if (tip === call.tip) continue;
        owners.set(message, sessionId);
        const brief = briefOf(message);
        const sessions = speakers.get(brief);
        if (sessions === undefined) speakers.set(brief, new Set([sessionId]));
        else if (sessions.size < MAX_LISTENERS) sessions.add(sessionId);
        const twins = answers.get(tip);
        if (twins === undefined) answers.set(tip, createTwins(ending));
        else twins.add(ending);
      }
    },
  };
}

function callOf({ traceId, spanId }: Ending): ContinuedCall {
  return { traceId, spanId };
}

/** Enough of a message to ask further; costs no hash. */
function briefOf(message: GenAiMessage): string {
  const key = atomsOf(message).at(-1)?.key ?? "";
  return `${key.length} ${key.slice(0, 64)}`;
}

/** How many sessions are remembered to have heard one answer. */
const MAX_LISTENERS = 1_000;
