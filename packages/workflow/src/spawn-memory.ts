import { hash } from "node:crypto";
import type { ToolCallPart } from "@thoughtflow/semconv";
import { LruMap } from "./lru-map.ts";
import { comparable } from "./plain-message.ts";
import { createTextScanner, type TextScanner } from "./text-scanner.ts";
import { isOpen, SURE_PROMPT, textsIn } from "./told-texts.ts";
import type { Ending } from "./twins.ts";

/** A tool call whose arguments hold a new conversation's first words. */
export interface Spawn {
  /** The call whose answer has the tool call. */
  readonly ending: Ending;
  readonly toolCallId: string | undefined;
  /** Which of the tool calls of that answer it is, from 1. */
  readonly toolCall: number;
  /** Below 1. */
  readonly confidence: number;
}

/**
 * Which tool calls may have begun a conversation: `waiting` ones, of the last five minutes that their conversation has
 * not gone on from yet, or any of the last hour (`recent`). The first is for what many people share, where one may say what another one's agent
 * looked up; the second for the log of one program, whose agents may work on in the background; in between, `logged` for several conversations
 * of one log: a tool call that waits, for up to an hour. Where the session of the
 * conversation is known, tool calls of it are `recent` ones; and what is too long to be said twice by chance is found for
 * as long, though its conversation went on. A few words are only found as a waiting prompt.
 */
export type SpawnChoice = "waiting" | "logged" | "recent";

/** Remembers what tool calls may have told other agents, and finds the one that a conversation begins with. */
export interface SpawnMemory {
  /** The tool calls of an answer, `ms` the time of its request; costs next to nothing. */
  asked(ending: Ending, ms: number, calls: readonly ToolCallPart[]): void;
  /**
   * The same of an answer that is still coming: `calls` gives those that are there, also one whose arguments are the beginning
   * of a JSON text; it is called where somebody may have begun with one.
   */
  asking(ending: Ending, ms: number, calls: () => readonly ToolCallPart[]): void;
  /**
   * @param opening the messages that a conversation begins with, as words; asked for only where there is something to compare
   * them with, and the first of them that a tool call held counts
   */
  spawnOf(
    opening: () => readonly string[],
    ms: number,
    sessionId: string | undefined,
  ): Spawn | undefined;
  /** Whether a tool call that waits for its result would be found. */
  isWaitedFor: (...about: Parameters<SpawnMemory["spawnOf"]>) => boolean;
}

/** A prompt that is the same word by word; of several equal ones that wait for their results each is as likely. */
const CONFIDENCE_SAME_PROMPT = 0.95;
/** How long after a tool call a conversation may begin that it asked for, milliseconds. */
const WINDOW_MS: Readonly<Record<SpawnChoice, number>> = {
  waiting: 300_000,
  logged: 3_600_000,
  recent: 3_600_000,
};
/** Shorter words are said by chance, where many people's agents may have said them, and in the log of one program. */
const LEAST_PROMPT: Readonly<Record<SpawnChoice, number>> = {
  waiting: 16,
  logged: 16,
  recent: 8,
};
const CONFIDENCE_SHORT_PROMPT = 0.7;
/** So many characters tell most prompts apart. */
const BEGINNING = 16;
/** Nobody says so much again by chance. */
const LONG_PROMPT = 200;
/** An agent that works in the background begins soon; who asked for it did not wait. */
const CONFIDENCE_LONG_PROMPT = 0.7;
/** So many answers are kept as they came before their arguments are looked at. */
const MOST_UNREAD = 64;
/** So often an answer is looked at whose arguments are not whole. */
const MOST_LOOKS = 100;
/** Prompts that begin alike, and how many of them are told apart. */
const MOST_ALIKE = 1_000;

interface Prompt extends Omit<Spawn, "confidence"> {
  readonly ms: number;
  readonly hash: string;
  readonly isLong: boolean;
  readonly isShort: boolean;
  isTaken: boolean;
}

interface Unread {
  readonly ending: Ending;
  readonly ms: number;
  readonly calls: () => readonly ToolCallPart[];
  /** How often it was looked at while it came; absent where it is whole. */
  looks?: number;
}

/** Of an answer that is read while it comes. */
interface Early {
  /** What was there already. */
  readonly told: Set<string>;
  /** By the calls' ids, and by which one of those with that id it is: some programs give several calls the same, or none. */
  readonly scanners: Map<string, TextScanner>;
}

/** @param limit how many different beginnings of prompts are remembered */
export function createSpawnMemory(limit: number, choice: SpawnChoice): SpawnMemory {
  const prompts = new LruMap<string, Prompt[]>(limit);
  let unread: Unread[] = [];
  const early = new WeakMap<Ending, Early>();

  /** @returns those in which more is to be read when it has come */
  function read(answers: readonly Unread[]): Unread[] {
    const open: Unread[] = [];
    for (const answer of answers) {
      const { ending, ms } = answer;
      const known = early.get(ending);
      const calls = answer.calls();
      if (answer.looks !== undefined && calls.some(isOpen) && ++answer.looks < MOST_LOOKS)
        open.push(answer);
      const counts = new Map<string, number>();
      for (const [n, { id: toolCallId, arguments: args }] of calls.entries()) {
        const count = counts.get(toolCallId ?? "") ?? 0;
        counts.set(toolCallId ?? "", count + 1);
        const scan = scannerOf(known, `${count} ${toolCallId ?? ""}`);
        for (const text of textsIn(args, scan, LEAST_PROMPT[choice])) {
          const hash = hashOf(text);
          if (known?.told.has(`${n} ${hash}`)) continue;
          known?.told.add(`${n} ${hash}`);
          const prompt: Prompt = {
            ending,
            ms,
            toolCallId,
            toolCall: n + 1,
            hash,
            isLong: text.length >= LONG_PROMPT,
            isShort: text.length < SURE_PROMPT,
            isTaken: false,
          };
          const beginning = beginningOf(text);
          const alike = prompts.get(beginning);
          if (alike === undefined) prompts.set(beginning, [prompt]);
          else if (alike.push(prompt) > MOST_ALIKE) alike.splice(0, MOST_ALIKE / 2);
        }
      }
    }
    return open;
  }

  /** The oldest make room: of those that their conversations have gone on from most began nothing. */
  function makeRoom(): void {
    const oldest = unread.splice(0, MOST_UNREAD / 2);
    read(oldest.filter(({ ending }) => choice === "recent" || !ending.continued));
  }

  function put(answer: Unread): void {
    if (unread.push(answer) >= MOST_UNREAD) makeRoom();
  }

  /** What is not read yet of an answer of which there is more now. */
  function forget(ending: Ending): void {
    unread = unread.filter((answer) => answer.ending !== ending);
  }

  /** How sure it is that this prompt began a conversation; 0 where it can't have. */
  function confidenceOf(
    { ending, ms, isLong, isShort }: Prompt,
    at: number,
    sessionId?: string,
  ): number {
    const isOwn = sessionId === ending.conversation.sessionId;
    if (sessionId !== undefined && !isOwn) return 0;
    const age = at - ms;
    if (age < 0 || age > WINDOW_MS[isOwn ? "recent" : choice]) return 0;
    if (isShort) return ending.continued || age > WINDOW_MS.waiting ? 0 : CONFIDENCE_SHORT_PROMPT;
    if (isOwn || choice === "recent" || !ending.continued) return CONFIDENCE_SAME_PROMPT;
    return isLong ? CONFIDENCE_LONG_PROMPT : 0;
  }

  /** The tool calls that hold these words, and those of them that began nobody yet. */
  function heldBy(words: string, ms: number, sessionId: string | undefined) {
    const alike = prompts.get(beginningOf(words)) ?? [];
    const key = alike.length === 0 ? "" : hashOf(comparable(words));
    const same = alike
      .filter(({ hash, isTaken, ending }) => hash === key && !(isTaken && ending.continued))
      .map((prompt) => ({ prompt, confidence: confidenceOf(prompt, ms, sessionId) }))
      .filter(({ confidence }) => confidence > 0);
    const open = same.filter(({ prompt }) => !prompt.isTaken);
    return { same, open, waiting: open.filter(({ prompt }) => !prompt.ending.continued) };
  }

  function spawnBy(words: string, ms: number, sessionId: string | undefined): Spawn | undefined {
    const { same, open, waiting } = heldBy(words, ms, sessionId);
    // One that is waited for comes before one that is not: that may have been refused, and asked for anew.
    const free = waiting.length > 0 ? waiting : open;
    const best = Math.max(...free.map(({ confidence }) => confidence));
    const found = free.find(({ confidence }) => confidence === best)?.prompt;
    if (found === undefined) return undefined;
    found.isTaken = true;
    const { ending, toolCallId, toolCall } = found;
    return { ending, toolCallId, toolCall, confidence: best / same.length };
  }

  /** Whatever goes wrong in one answer does so once. */
  function readAll(): void {
    const answers = unread;
    unread = [];
    unread = read(answers);
  }

  return {
    asked(ending, ms, calls) {
      if (early.has(ending)) forget(ending);
      put({ ending, ms, calls: () => calls });
    },
    asking(ending, ms, calls) {
      if (early.has(ending)) forget(ending);
      else early.set(ending, { told: new Set(), scanners: new Map() });
      put({ ending, ms, calls, looks: 0 });
    },
    spawnOf(opening, ms, sessionId) {
      readAll();
      if (prompts.isEmpty) return undefined;
      for (const words of opening().flatMap(withoutLabel)) {
        const spawn = spawnBy(words, ms, sessionId);
        if (spawn !== undefined) return spawn;
      }
      return undefined;
    },
    isWaitedFor(opening, ms, sessionId) {
      readAll();
      return opening()
        .flatMap(withoutLabel)
        .some((words) => heldBy(words, ms, sessionId).waiting.length > 0);
    },
  };
}

/** What reads a call's arguments; where the answer is read once, a new one. */
function scannerOf(early: Early | undefined, call: string): TextScanner {
  const scan = early?.scanners.get(call) ?? createTextScanner();
  early?.scanners.set(call, scan);
  return scan;
}

/** Some programs put a word before what an agent is asked: `Task: `. */
const LABEL = /^\s*[A-Z][\w-]*(?: [\w-]+){0,2}:\s+(?=\S)/;

/** Words as they are, and as they are behind a label. */
function withoutLabel(words: string): readonly string[] {
  const label = LABEL.exec(words)?.[0];
  return label === undefined ? [words] : [words, words.slice(label.length)];
}

/** How a comparable text begins; of most texts a few characters are enough to tell. */
function beginningOf(text: string): string {
  const beginning = comparable(text.trimStart().slice(0, 4 * BEGINNING));
  const whole = beginning.length < BEGINNING ? comparable(text) : beginning;
  return whole.slice(0, BEGINNING);
}

/** Texts are long and not kept. */
function hashOf(text: string): string {
  return hash("sha256", text, "base64url");
}
