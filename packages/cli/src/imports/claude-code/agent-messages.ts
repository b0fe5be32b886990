import { hashOfWords } from "../conversation/hash-of-words.ts";
import type { ImportedEdge } from "../imported-span.ts";
import { membersOf, textOf } from "../plain-values.ts";
import type { ToldWords } from "./teammates.ts";

/** A message that an agent sent: a tool call. */
export interface SentMessage {
  readonly sessionId: string;
  readonly toolUseId: string;
  readonly spanId: string;
  /** Of the run that it was sent in; absent where that is not known yet: then its own session alone names the call. */
  readonly traceId: string | undefined;
  /** The id of the sub-agent that sent it; absent: the main one. */
  readonly from: string | undefined;
  /** What the tool was asked. */
  readonly input: unknown;
  /** The last that a sub-agent says: it has one to tell it. */
  readonly isReport: boolean;
  readonly ms: number;
}

/** A message that an agent is given. */
export interface HeardMessage extends ToldWords {
  readonly sessionId: string;
  /** The id that the program gave it, where it tells one. */
  readonly messageId: string | undefined;
  /** Names of the one that is told: the id of its agent, what the team calls it. */
  readonly to: readonly (string | undefined)[];
  readonly ms: number;
}

/** What agents wrote to each other, in all sessions of an import: found by id first, by words second, by names alone never. */
export interface AgentMessages {
  /** One that is known is left out. */
  sent(message: SentMessage): void;
  /** The result of the call tells the message's id. */
  identified(sessionId: string, toolUseId: string, messageId: string): void;
  /** The call that a message came from, as what the one rests on that is given it. */
  heard(message: HeardMessage): ImportedEdge | undefined;
  clear(): void;
}

interface Waiting extends Omit<SentMessage, "input"> {
  readonly words: string;
  readonly to: string | undefined;
  /** It is given each of several once. */
  readonly isForAll: boolean;
}

const WINDOW_MS = 3_600_000;
/** What clocks and writers may be off by. */
const SLACK_MS = 5_000;
/** Of the same words; of several calls with them that wait each is as likely. */
const CONFIDENCE_WORDS = 0.95;
/** Shorter words are said too often to tell anything. */
const FEWEST = 8;

/** So many of all sessions wait to be heard. */
const MOST = 20_000;

export function createAgentMessages(): AgentMessages {
  /** By session and call; those that were heard are `undefined`. */
  const messages = new Map<string, Waiting | undefined>();
  const byId = new Map<string, string>();

  function taken(
    key: string,
    { isForAll, ...message }: Waiting,
    sessionId: string,
    sureness: Pick<ImportedEdge, "origin" | "confidence">,
  ): ImportedEdge {
    if (!isForAll) messages.set(key, undefined);
    const step = `s_${message.spanId}`;
    const to = message.sessionId === sessionId ? step : `${message.traceId}/${step}`;
    return { to, type: "handoff", ...sureness };
  }

  /** Those that this one can be; of several calls each comes with its key. */
  function fittingTo({ sessionId, ms }: HeardMessage): [string, Waiting][] {
    const fitting: [string, Waiting][] = [];
    for (const [key, one] of messages) {
      if (one === undefined || ms < one.ms - SLACK_MS || ms > one.ms + WINDOW_MS) continue;
      if (one.sessionId === sessionId || one.traceId !== undefined) fitting.push([key, one]);
    }
    return fitting;
  }

  return {
    sent({ input, ...message }) {
      const key = keyOf(message.sessionId, message.toolUseId);
      if (messages.has(key)) return;
      const { message: said, content, to, recipient, type } = membersOf(input);
      const words = textOf(said) ?? textOf(content);
      if (words === undefined) return;
      const name = textOf(to) ?? textOf(recipient);
      const isForAll = name === "*" || type === "broadcast";
      messages.set(key, { ...message, words: hashOfWords(words), to: name, isForAll });
      if (messages.size <= MOST) return;
      const [oldest = key] = messages.keys();
      messages.delete(oldest);
    },
    identified(sessionId, toolUseId, messageId) {
      const key = keyOf(sessionId, toolUseId);
      if (messages.has(key)) byId.set(messageId, key);
    },
    heard(message) {
      const { sessionId, messageId, from, words, to } = message;
      const named = messageId === undefined ? undefined : byId.get(messageId);
      const own = named === undefined ? undefined : messages.get(named);
      if (named !== undefined && own !== undefined && (own.traceId ?? own.sessionId === sessionId))
        return taken(named, own, sessionId, { origin: "observed" });
      const fitting = fittingTo(message);
      const key = hashOfWords(words);
      const isWordy = words.trim().length >= FEWEST;
      const same = isWordy ? fitting.filter(([, one]) => one.words === key) : [];
      const sender = fitting.filter(([, one]) => one.from !== undefined && one.from === from);
      const [identified] = [
        ...sender.filter(([, one]) => one.words === key),
        // The program marks what looks like its own words in a report.
        ...sender.filter(([, one]) => one.isReport),
      ];
      if (identified !== undefined) return taken(...identified, sessionId, { origin: "observed" });
      const here = likely(same, (one) => one.sessionId === sessionId);
      const meant = likely(here, (one) => one.isForAll || to.includes(one.to));
      const [first] = meant;
      if (first === undefined) return undefined;
      const senders = new Set(meant.map(([, one]) => `${one.sessionId} ${one.from}`)).size;
      const confidence = CONFIDENCE_WORDS / senders;
      return taken(...first, sessionId, { origin: "inferred", confidence });
    },
    clear() {
      messages.clear();
      byId.clear();
    },
  };
}

function keyOf(sessionId: string, toolUseId: string): string {
  return `${sessionId} ${toolUseId}`;
}

/** Those that fit better, if there are any. */
function likely(
  messages: readonly [string, Waiting][],
  isLikely: (message: Waiting) => boolean,
): readonly [string, Waiting][] {
  const those = messages.filter(([, message]) => isLikely(message));
  return those.length > 0 ? those : messages;
}
