import { LruMap } from "./lru-map.ts";
import { originOfResponse } from "./response-ids.ts";
import type { ObservedRequest } from "./session-match.ts";
import type { Conversation, Ending } from "./twins.ts";

/** Whose answer a response is that nobody logged. */
export interface AnswerGiver {
  readonly conversation: Conversation;
  /** The call that was answered with it; absent where only its conversation is known. */
  readonly ending?: Ending;
  /** Below 1. */
  readonly confidence: number;
}

/**
 * In a log: whose answers later requests name whose ids nobody logged. The provider's own ids tell which of them go on from each other, and
 * when they were made; other ones only that one of the calls that wait for an answer had it.
 */
export interface NamedAnswers {
  /** A call was made. */
  asked(ending: Ending, call: Pick<ObservedRequest, "ms" | "previousResponseId">): void;
  /** Its answer is there; without an id where it failed, or the log leaves that out. */
  answered(ending: Ending, responseId: string | undefined): void;
  /** What an id that no answer had says; from then on it is the same for the same id. */
  giverOf(
    responseId: string,
    call: Pick<ObservedRequest, "ms" | "asker" | "prompt">,
  ): AnswerGiver | undefined;
}

/** The provider's ids say that one response goes on from the other, and no other call began so shortly before it was made. */
const CONFIDENCE_THREAD = 0.95;
const CONFIDENCE_TIME = 0.9;
/** Of the calls that wait one was answered so. */
const CONFIDENCE_WAITING = 0.7;

/** A provider takes a request on within a minute after it was sent, by clocks that are told apart by no more than two seconds. */
const LONGEST_WAY_MS = 60_000;
const CLOCKS_APART_MS = 2_000;
/** So many calls that wait are looked through. */
const MOST_WAITING = 1_000;

interface Waiting {
  readonly ending: Ending;
  readonly ms: number;
}

/** @param limit how many ids and threads are remembered */
export function createNamedAnswers(limit: number): NamedAnswers {
  const givers = new LruMap<string, AnswerGiver>(limit);
  const threads = new LruMap<string, Conversation>(limit);
  const threaded = new WeakSet<Conversation>();
  /** What was answered, or failed, is taken out now and then. */
  let waiting: Waiting[] = [];
  const settled = new WeakSet<Ending>();

  function inThread(responseId: string, conversation: Conversation): void {
    const thread = originOfResponse(responseId)?.thread;
    if (thread === undefined || threads.get(thread) !== undefined) return;
    threads.set(thread, conversation);
    threaded.add(conversation);
  }

  function open(): readonly Waiting[] {
    return waiting.filter(({ ending }) => !settled.has(ending));
  }

  /** By what the provider says of it. */
  function byOrigin(
    { thread, createdMs }: NonNullable<ReturnType<typeof originOfResponse>>,
    call: Pick<ObservedRequest, "ms" | "asker" | "prompt">,
  ): AnswerGiver | undefined {
    const conversation = threads.get(thread);
    const latest = createdMs === undefined ? call.ms : createdMs + CLOCKS_APART_MS;
    const before = open().filter(({ ms }) => ms < latest);
    if (conversation !== undefined) {
      const ending = before.findLast((one) => one.ending.conversation === conversation)?.ending;
      return { conversation, confidence: CONFIDENCE_THREAD, ...(ending && { ending }) };
    }
    const free = before.filter(({ ending }) => !threaded.has(ending.conversation));
    if (createdMs === undefined) return byWaiting(free, call);
    const likely = free.filter(({ ms }) => ms >= createdMs - LONGEST_WAY_MS);
    const ending = alike(likely, call).at(-1)?.ending;
    return ending && { conversation: ending.conversation, ending, confidence: CONFIDENCE_TIME };
  }

  /** One of those that wait: the latest of the likeliest. */
  function byWaiting(
    all: readonly Waiting[],
    call: Pick<ObservedRequest, "asker" | "prompt">,
  ): AnswerGiver | undefined {
    const likely = alike(all, call);
    const ending = likely.at(-1)?.ending;
    const { size } = new Set(likely.map((one) => one.ending.conversation));
    const confidence = CONFIDENCE_WAITING / size;
    return ending && { conversation: ending.conversation, ending, confidence };
  }

  return {
    asked(ending, { ms, previousResponseId }) {
      if (previousResponseId !== undefined) {
        const { conversation } = ending;
        inThread(previousResponseId, conversation);
        if (givers.get(previousResponseId) === undefined)
          givers.set(previousResponseId, { conversation, confidence: CONFIDENCE_THREAD });
      }
      waiting.push({ ending, ms });
      if (waiting.length < 2 * MOST_WAITING) return;
      waiting = open().slice(-MOST_WAITING);
    },
    answered(ending, responseId) {
      settled.add(ending);
      if (responseId !== undefined) inThread(responseId, ending.conversation);
    },
    giverOf(responseId, call) {
      const known = givers.get(responseId);
      if (known !== undefined) return known;
      const origin = originOfResponse(responseId);
      const found = origin === undefined ? byWaiting(open(), call) : byOrigin(origin, call);
      if (found === undefined) return undefined;
      if (found.ending !== undefined) settled.add(found.ending);
      givers.set(responseId, found);
      return found;
    },
  };
}

/** Those with the same system prompt, else those of the same kind of agent, else the only one there is. */
function alike(
  all: readonly Waiting[],
  { asker, prompt }: Pick<ObservedRequest, "asker" | "prompt">,
): readonly Waiting[] {
  const same = all.filter(({ ending }) => ending.prompt === prompt);
  if (same.length > 0) return same;
  const own = all.filter(({ ending }) => ending.asker === asker);
  if (own.length > 0) return own;
  return new Set(all.map(({ ending }) => ending.conversation)).size === 1 ? all : [];
}
