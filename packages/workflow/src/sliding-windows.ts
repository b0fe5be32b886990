import { hash } from "node:crypto";
import { type GenAiMessage, wordsOf } from "@thoughtflow/semconv";
import { type KnownMessages, saidIn } from "./history-chain.ts";
import { LruMap } from "./lru-map.ts";
import { isInstruction } from "./plain-message.ts";
import type { KnownBefore, ObservedRequest } from "./session-match.ts";
import type { Ending } from "./twins.ts";

/**
 * In a log: the call that an input goes on from of which a program sends the latest messages alone, with or without what the conversation
 * began with. They must be what that call was given last, and its answer, without a gap: people share words, and programs share examples.
 */
export interface SlidingWindows {
  /** A call was made. */
  asked(ending: Ending, messages: readonly GenAiMessage[]): void;
  answered(ending: Ending, output: readonly GenAiMessage[]): void;
  before(
    messages: readonly GenAiMessage[],
    call: Pick<ObservedRequest, "asker" | "prompt">,
  ): KnownBefore | undefined;
}

/** All that was sent before the new messages was said in the conversation, without a gap. */
const CONFIDENCE_WINDOW = 0.9;
/** Before that stands what the conversation began with, or a note on what was left out. */
const CONFIDENCE_WITH_HEAD = 0.8;
/** It is the last answer and nothing else. */
const CONFIDENCE_ANSWER = 0.7;
/** Characters of words: shorter answers are given again and again. */
const LEAST_ANSWER = 40;

/** So many messages at the end of an input are compared, and at its beginning. */
const TAIL = 256;
const HEAD = 8;
/** So many answers back in an input one is looked for, and so many calls that were answered alike. */
const MOST_ANSWERS = 4;
const MOST_ALIKE = 100;

/** An input as far as it is kept: of each message what tells it from nearly all others. */
interface Brief {
  readonly head: readonly number[];
  readonly tail: Uint32Array;
  /** The hash of all of the last message. */
  readonly question: string;
}

/** @param limit how many answers are remembered */
export function createSlidingWindows(seen: KnownMessages, limit: number): SlidingWindows {
  const briefs = new WeakMap<Ending, Brief>();
  /** By the answer and what it answers, and by the answer alone. */
  const answers = new LruMap<string, Ending[]>(2 * limit);

  /** A message is sent again and again. */
  function briefOf(message: GenAiMessage): number {
    const known = seen.get(message);
    if (known === undefined) return briefly(message);
    known.brief ??= briefly(message);
    return known.brief;
  }

  function remember(key: string, ending: Ending): void {
    const alike = answers.get(key);
    if (alike === undefined) answers.set(key, [ending]);
    else if (alike.push(ending) > MOST_ALIKE) alike.splice(0, MOST_ALIKE / 2);
  }

  /** The one of these that was not gone on from, if any, with the same prompt, if any; and how sure that is. */
  function chosen(
    alike: readonly Ending[],
    { asker = "", prompt }: Pick<ObservedRequest, "asker" | "prompt">,
    fitOf: (ending: Ending) => Fit | undefined,
  ): (Pick<KnownBefore, "ending" | "confidence"> & Pick<Fit, "head">) | undefined {
    const found = alike
      // A program may cut off its system prompt with the rest.
      .filter((one) => one.asker === asker || (asker.endsWith(" ") && one.asker?.startsWith(asker)))
      .flatMap((ending) => {
        const fit = fitOf(ending);
        return fit === undefined ? [] : [{ ending, ...fit }];
      });
    const open = found.filter(({ ending }) => !ending.continued);
    const likely = open.length > 0 ? open : found;
    const one = likely.find(({ ending }) => ending.prompt === prompt) ?? likely[0];
    if (one === undefined) return undefined;
    const { size } = new Set(likely.map(({ ending }) => ending.conversation));
    return { ...one, confidence: one.confidence / size };
  }

  return {
    asked(ending, messages) {
      const latest = latestSaid(messages);
      const last = latest.at(-1);
      if (last === undefined) return;
      briefs.set(ending, {
        head: firstSaid(messages).map(briefOf),
        tail: Uint32Array.from(latest, briefOf),
        question: hashOf(wholeOf(last)),
      });
    },
    answered(ending, output) {
      const brief = briefs.get(ending);
      if (brief === undefined) return;
      for (const message of output) {
        const answer = wholeOf(message);
        remember(hashOf(`${brief.question}\n${answer}`), ending);
        if (wordsOf(message.parts).length >= LEAST_ANSWER) remember(hashOf(`\n${answer}`), ending);
      }
    },
    before(messages, call) {
      const places = messages.flatMap((message, at) => (isInstruction(message) ? [] : [at]));
      const said = places.map((at) => messages[at] as GenAiMessage);
      const briefAt = (at: number) => briefOf(said[at] as GenAiMessage);
      const answered = said
        .flatMap(({ role }, at) => (role === "assistant" ? [at] : []))
        .slice(-MOST_ANSWERS);
      for (const at of answered.reverse()) {
        const [question, answer] = [said[at - 1], said[at] as GenAiMessage];
        const asked = question === undefined ? "" : hashOf(wholeOf(question));
        const alike = answers.get(hashOf(`${asked}\n${wholeOf(answer)}`)) ?? [];
        const found = chosen(alike, call, (ending) => {
          const brief = briefs.get(ending);
          return brief && fitIn(brief, at, briefAt);
        });
        if (found === undefined) continue;
        found.ending.continued = true;
        return { ...found, known: (places[at] ?? 0) + 1, isWindow: true };
      }
      return undefined;
    },
  };
}

/** How an input, up to an answer, is the end of one that was answered so. */
interface Fit {
  readonly confidence: number;
  /** So many messages stand before what is that end. */
  readonly head: number;
}

/** Absent where it is none. */
function fitIn(
  { head, tail }: Brief,
  answer: number,
  briefAt: (at: number) => number,
): Fit | undefined {
  if (answer === 0) return { confidence: CONFIDENCE_ANSWER, head: 0 };
  let same = 0;
  while (same < answer && same < tail.length && briefAt(answer - 1 - same) === tail.at(-1 - same))
    same++;
  const before = answer - same;
  if (before === 0 || same === TAIL) return { confidence: CONFIDENCE_WINDOW, head: 0 };
  let kept = 0;
  while (kept < before && kept < head.length && briefAt(kept) === head[kept]) kept++;
  return before - kept <= 1 ? { confidence: CONFIDENCE_WITH_HEAD, head: before } : undefined;
}

function firstSaid(messages: readonly GenAiMessage[]): readonly GenAiMessage[] {
  const said: GenAiMessage[] = [];
  for (const message of messages) {
    if (said.length === HEAD) break;
    if (!isInstruction(message)) said.push(message);
  }
  return said;
}

/** Not all are looked at: a history is long. */
function latestSaid(messages: readonly GenAiMessage[]): readonly GenAiMessage[] {
  const said: GenAiMessage[] = [];
  for (let at = messages.length - 1; at >= 0 && said.length < TAIL; at--) {
    const message = messages[at] as GenAiMessage;
    if (!isInstruction(message)) said.push(message);
  }
  return said.reverse();
}

function wholeOf(message: GenAiMessage): string {
  return saidIn(message).join("\n");
}

function hashOf(text: string): string {
  return hash("sha256", text, "base64url");
}

const EDGE = 24;

/** Of its length and its edges: a text would be hashed whole, each time that it is sent again. */
function briefly(message: GenAiMessage): number {
  let brief = 0;
  for (const said of saidIn(message)) {
    brief = mixed(brief, said.length);
    for (const edge of [said.slice(0, EDGE), said.slice(-EDGE)])
      for (let at = 0; at < edge.length; at++) brief = mixed(brief, edge.charCodeAt(at));
  }
  return brief;
}

/** FNV-1a's step. */
function mixed(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x01000193) >>> 0;
}
