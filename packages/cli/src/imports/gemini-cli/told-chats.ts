import { wordsOf } from "@thoughtflow/semconv";
import type { Chat } from "./records.ts";

/** What a person asked in a chat, and what was answered. */
export interface ChatWords {
  readonly asked: ReadonlySet<string>;
  readonly answered: ReadonlySet<string>;
}

export function wordsIn({ messages }: Chat): ChatWords {
  const wordsFrom = (from: string): ReadonlySet<string> =>
    new Set(messages.flatMap(({ type, parts }) => (type === from ? wordsOf(parts).trim() : [])));
  const [asked, answered] = [wordsFrom("user"), wordsFrom("gemini")];
  return { asked, answered: new Set([...answered].filter((words) => words !== "")) };
}

/** The chats that are told already. */
export interface ToldChats {
  add(chat: ChatWords): void;
  /** Whether a saved conversation is one of them: all is there that was asked, and of its answers, which each writes down in its own pieces, one. */
  has(saved: ChatWords): boolean;
}

/** Found by what was said: of thousands that a person has saved, most say one thing that no other does. */
export function createToldChats(): ToldChats {
  const byAsked = new Map<string, ChatWords[]>();
  const byAnswered = new Map<string, ChatWords[]>();
  const none: readonly ChatWords[] = [];
  return {
    add(chat) {
      for (const words of chat.asked) listIn(byAsked, words).push(chat);
      for (const words of chat.answered) listIn(byAnswered, words).push(chat);
    },
    has(saved) {
      const [asked, answered] = [[...saved.asked], [...saved.answered]];
      if (asked.length === 0) return false;
      const asking = asked
        .map((words) => byAsked.get(words) ?? none)
        .reduce((fewest, chats) => (chats.length < fewest.length ? chats : fewest));
      const lists = answered.map((words) => byAnswered.get(words) ?? none);
      const answering = lists.reduce((count, { length }) => count + length, 0);
      const areFewer = answered.length > 0 && answering < asking.length;
      return (areFewer ? lists.flat() : asking).some(
        (chat) =>
          asked.every((words) => chat.asked.has(words)) &&
          (answered.length === 0 || answered.some((words) => chat.answered.has(words))),
      );
    },
  };
}

function listIn(lists: Map<string, ChatWords[]>, words: string): ChatWords[] {
  const list = lists.get(words) ?? [];
  lists.set(words, list);
  return list;
}
