import { textOf } from "../plain-values.ts";
import { wordsIn } from "./record-words.ts";
import { QUEUED, type TranscriptLine } from "./records.ts";

/** What was typed, or told by the program, while the agent worked, until the agent is told of it. */
export interface QueuedWords {
  /** A record of what waits. */
  take(line: TranscriptLine, ms: number): void;
  /** A record of what somebody said, or a tool gave: what waited may be in it. */
  said(line: TranscriptLine): void;
  /** What came nowhere else, in the order in which it was typed. */
  left(): Iterable<QueuedText>;
}

interface QueuedText {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly ms: number;
}

export function createQueuedWords(): QueuedWords {
  const waiting = new Map<string, QueuedText>();
  /** Was attached before the record that takes it out. */
  const attached = new Set<string>();

  return {
    take({ number, name, record }, ms) {
      const text = textOf(wordsIn(record["content"]).join("\n").trim());
      switch (record["operation"]) {
        case "enqueue":
          if (text !== undefined) waiting.set(text, { number, name, text, ms });
          break;
        case "remove":
          // Older versions say only here what it was.
          if (text !== undefined && !attached.delete(text) && !waiting.has(text))
            waiting.set(text, { number, name, text, ms });
          break;
        case "popAll":
          // It is back where it was typed.
          if (text === undefined) waiting.clear();
          else waiting.delete(text);
      }
    },
    said({ name, record, message }) {
      const isAttached = record["type"] === "attachment";
      if (waiting.size === 0 && !isAttached) return;
      const words = wordsIn(message["content"]).map((one) => one.trim());
      if (name === QUEUED) attached.add(words.join("\n"));
      const all = `\n${words.join("\n")}\n`;
      for (const text of waiting.keys()) if (isIn(text, all)) waiting.delete(text);
    },
    left: () => waiting.values(),
  };
}

/** @param all Lines, each with its end. */
function isIn(text: string, all: string): boolean {
  const command = /^\/?([\w:-]+)/.exec(text)?.[1] ?? "";
  return (
    all.includes(`\n${text}\n`) ||
    (text.startsWith("/") && new RegExp(`<command-name>/?${command}</command-name>`).test(all))
  );
}
