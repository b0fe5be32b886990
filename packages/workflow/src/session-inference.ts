import type { GenAiMessage } from "@thoughtflow/semconv";
import { isTextPart } from "@thoughtflow/semconv";
import { atomsOf } from "./atoms.ts";
import { createKnownMessages, type KnownMessage, type Tip } from "./history-chain.ts";
import { LruMap } from "./lru-map.ts";
import { type Ending, Twins } from "./twins.ts";

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
  readonly sessionId: string;
  /** Whether `previous_response_id` names it; its session may be another one then. */
  readonly isNamed: boolean;
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

/** A call in its place: what `response` wants back when the answer is there. */
export interface PlacedCall extends SessionMatch {
  /** Absent where the call has no history. */
  readonly question: { readonly tip: Tip; readonly ending: Ending } | undefined;
}

/** What a model call answered. */
export interface ObservedResponse {
  readonly responseId?: string;
  /** One message for each choice; empty where the call failed. */
  readonly output: readonly GenAiMessage[];
}

/** Remembers the conversations of one process, bounded, and says which one a call continues. */
export interface SessionInference {
  request(call: ObservedRequest): PlacedCall;
  response(call: PlacedCall, response: ObservedResponse): void;
}

/** Where conversations go that nothing places, and how much is remembered. */
export interface SessionInferenceOptions {
  /** The session of conversations that nothing else places. Default: each gets its own, `s_<trace id>`. */
  readonly defaultSessionId?: string;
  /** How many answers, ids and traces are remembered, each. Default 10,000. */
  readonly limit?: number;
  /** The call that gave a response which nobody here remembers: one of another process, or of long ago. */
  readonly earlierResponse?: (responseId: string) => Omit<ContinuedCall, "isNamed"> | undefined;
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
  const { defaultSessionId, limit = 10_000, earlierResponse = () => undefined } = options;
  const answers = new LruMap<Tip, Twins>(limit);
  const questions = new LruMap<string, Ending>(limit);
  const responses = new LruMap<string, Ending>(limit);
  const traces = new LruMap<string, string>(limit);
  const failures = new LruMap<Tip, Ending>(limit);
  const listeners = new LruMap<string, string | Set<string>>(limit);
  const seen = createKnownMessages();
  let miscellany: string | undefined;

  function match(call: ObservedRequest, tips: readonly Tip[]): SessionMatch {
    const { sessionId, conversationId, previousResponseId } = call;
    const given = sessionId ?? conversationId;
    const previous = previousResponseId === undefined ? undefined : giverOf(previousResponseId);
    if (previous !== undefined && (given === undefined || given === previous.sessionId)) {
      const origin = sessionId === undefined ? "observed" : "declared";
      return { sessionId: previous.sessionId, origin, continues: callOf(previous, true), known: 0 };
    }
    const history = longestKnown(call, tips, given);
    const retried = history === undefined ? failedBefore(call.messages, tips, given) : undefined;
    if (given !== undefined) {
      const origin = sessionId === undefined ? "observed" : "declared";
      const place = previous && { continues: callOf(previous, true), known: 0 };
      return { known: 0, ...history?.place, ...retried, ...place, sessionId: given, origin };
    }
    if (history !== undefined) {
      return { ...history.place, origin: "inferred", confidence: history.confidence };
    }
    if (retried !== undefined) {
      return { ...retried, origin: "inferred", confidence: CONFIDENCE_SAME_OBJECTS };
    }
    const cut = windowOn(call.messages);
    if (cut !== undefined) {
      return { sessionId: cut, origin: "inferred", confidence: CONFIDENCE_WINDOW, known: 0 };
    }
    const fresh = traces.get(call.traceId) ?? defaultSessionId ?? `s_${call.traceId}`;
    return { sessionId: fresh, origin: "observed", known: 0 };
  }

  /** The failed call with the same messages: of the given session, else one that was sent the very same object. */
  function failedBefore(
    messages: readonly GenAiMessage[],
    tips: readonly Tip[],
    given: string | undefined,
  ) {
    const failed = failures.get(tips.at(-1) ?? "");
    if (failed === undefined || failed.sessionId !== (given ?? ownerOf(messages))) return undefined;
    const { sessionId } = failed;
    return { sessionId, continues: callOf(failed), known: messages.length };
  }

  function giverOf(responseId: string): Omit<ContinuedCall, "isNamed"> | undefined {
    return responses.get(responseId) ?? earlierResponse(responseId);
  }

  /**
   * The session of which an input shows the end alone: its last answer was given there, and the message object
   * before it was sent there. Neither is enough: people share words, and programs share examples.
   */
  function windowOn(messages: readonly GenAiMessage[]): string | undefined {
    const at = messages.findLastIndex(({ role }) => role === "assistant");
    const [before, last] = messages.slice(Math.max(0, at - 1), at + 1);
    if (before === undefined || last === undefined) return undefined;
    const sessionId = seen.get(last)?.owner ?? seen.get(before)?.owner;
    if (sessionId === undefined) return undefined;
    const heard = listeners.get(briefOf(last));
    const isHeard = typeof heard === "string" ? heard === sessionId : heard?.has(sessionId);
    return isHeard ? sessionId : undefined;
  }

  /** Where the last message that somebody said was sent first, as the very same object. */
  function ownerOf(messages: readonly GenAiMessage[]): string | undefined {
    for (let at = messages.length - 1; at >= 0; at--) {
      const owner = seen.get(messages[at] as GenAiMessage)?.owner;
      if (owner !== undefined) return owner;
    }
    return undefined;
  }

  /** The earlier call whose messages cover the longest part of this input. */
  function longestKnown(
    call: ObservedRequest,
    tips: readonly Tip[],
    sessionId: string | undefined,
  ) {
    const { messages } = call;
    for (let length = tips.length; length > 0; length--) {
      if (messages[length - 1]?.role !== "assistant") continue;
      const twins = answers.get(tips[length - 1] ?? "");
      const found = twins && choose(twins, messages, length, sessionId);
      if (found === undefined) continue;
      const { ending, confidence } = found;
      const place = askedAgain(ending, tips, length);
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

  function choose(
    twins: Twins,
    messages: readonly GenAiMessage[],
    length: number,
    sessionId: string | undefined,
  ) {
    const own = sessionId === undefined ? ownAmong(twins, messages, length) : twins.of(sessionId);
    if (own !== undefined) return { ending: own, confidence: CONFIDENCE_SAME_OBJECTS };
    if (sessionId !== undefined) return undefined;
    const next = twins.next();
    return next && { ending: next, confidence: CONFIDENCE_SAME_TEXT / twins.sessions };
  }

  /** The one among twins that the latest of the message objects belongs to. */
  function ownAmong(twins: Twins, messages: readonly GenAiMessage[], length: number) {
    for (let at = length - 1; at >= 0; at--) {
      const owner = seen.get(messages[at] as GenAiMessage)?.owner;
      const own = owner === undefined ? undefined : twins.of(owner);
      if (own !== undefined) return own;
    }
    return undefined;
  }

  function hear(brief: string, sessionId: string): void {
    const sessions = listeners.get(brief);
    if (sessions === undefined) listeners.set(brief, sessionId);
    else if (typeof sessions !== "string") {
      if (sessions.size < MAX_LISTENERS) sessions.add(sessionId);
    } else if (sessions !== sessionId) {
      listeners.set(brief, new Set([sessions, sessionId]));
    }
  }

  return {
    request(call) {
      if (!call.hasHistory) {
        // A response is one step, in its own session, from wherever it is fetched.
        const fetched =
          call.previousResponseId === undefined ? undefined : giverOf(call.previousResponseId);
        if (fetched !== undefined) {
          const { sessionId } = fetched;
          const continues = callOf(fetched, true);
          return { sessionId, origin: "observed", continues, known: 0, question: undefined };
        }
        const sessionId = call.sessionId ?? call.conversationId ?? traces.get(call.traceId);
        if (sessionId !== undefined) {
          const origin = call.sessionId === undefined ? "observed" : "declared";
          return { sessionId, origin, known: 0, question: undefined };
        }
        miscellany ??= defaultSessionId ?? `misc_${call.traceId}`;
        return { sessionId: miscellany, origin: "observed", known: 0, question: undefined };
      }
      const tips: Tip[] = [];
      const told: KnownMessage[] = [];
      let tip: Tip =
        call.previousResponseId === undefined ? "" : `after ${call.previousResponseId}`;
      for (const message of call.messages) {
        const one = seen.after(tip, message);
        if (one.after !== tip && one.owner === undefined) told.push(one);
        tip = one.after;
        tips.push(tip);
      }
      const found = match(call, tips);
      const { sessionId } = found;
      for (const one of told) one.owner = sessionId;
      if (traces.get(call.traceId) === undefined) traces.set(call.traceId, sessionId);
      const { traceId, spanId } = call;
      const ending: Ending = { sessionId, traceId, spanId, continued: false };
      questions.set(`${sessionId} ${tip}`, ending);
      return { ...found, question: { tip, ending } };
    },

    response({ question }, { responseId, output }) {
      if (question === undefined) return;
      const { ending } = question;
      if (responseId !== undefined) responses.set(responseId, ending);
      if (output.length === 0) failures.set(question.tip, ending);
      for (const message of output) {
        const one = seen.after(question.tip, message);
        const tip = one.after;
        if (tip === question.tip) continue;
        one.owner = ending.sessionId;
        hear(briefOf(message), ending.sessionId);
        const twins = answers.get(tip);
        if (twins === undefined) answers.set(tip, new Twins(ending));
        else twins.add(ending);
      }
    },
  };
}

function callOf(
  { traceId, spanId, sessionId }: Omit<ContinuedCall, "isNamed">,
  isNamed = false,
): ContinuedCall {
  return { traceId, spanId, sessionId, isNamed };
}

/** Enough of a message to ask further; costs no hash. */
function briefOf(message: GenAiMessage): string {
  const part = message.parts.at(-1);
  if (part !== undefined && isTextPart(part)) {
    return `${part.content.length} ${part.content.slice(0, 64)}`;
  }
  const key = atomsOf(message).at(-1)?.key ?? "";
  return `${key.length} ${key.slice(0, 64)}`;
}

/** How many sessions are remembered to have heard one answer. */
const MAX_LISTENERS = 1_000;
