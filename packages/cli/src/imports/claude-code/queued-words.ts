import { textOf } from "../plain-values.ts";
import { wordsIn } from "./attached-words.ts";
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

const COMMAND = "<command-name>";
const FEW = 16;

export function createQueuedWords(): QueuedWords {
  const waiting = new Map<string, QueuedText>();
  /** What waits by the line that tells of it: a message has few of them. */
  const byLine = new Map<string, Set<string>>();
  /** Was attached before the record that takes it out. */
  const attached = new Set<string>();

  function wait(text: string, more: Omit<QueuedText, "text">): void {
    waiting.set(text, { ...more, text });
    for (const line of linesOf(text)) {
      const texts = byLine.get(line) ?? new Set();
      byLine.set(line, texts.add(text));
    }
  }

  function told(text: string): void {
    waiting.delete(text);
    for (const line of linesOf(text)) {
      const texts = byLine.get(line);
      if (texts?.delete(text) && texts.size === 0) byLine.delete(line);
    }
  }

  /** Few wait, often for the rest of a session: a look for each is quicker than taking apart every text. */
  function mayTell(said: string): boolean {
    if (byLine.size > FEW || said.includes(COMMAND)) return true;
    for (const line of byLine.keys()) if (said.includes(line)) return true;
    return false;
  }

  return {
    take({ number, name, record }, ms) {
      const text = textOf(wordsIn(record["content"]).join("\n").trim());
      switch (record["operation"]) {
        case "enqueue":
          if (text !== undefined) wait(text, { number, name, ms });
          break;
        case "remove":
          // Older versions say only here what it was.
          if (text !== undefined && !attached.delete(text) && !waiting.has(text))
            wait(text, { number, name, ms });
          break;
        case "popAll":
          // It is back where it was typed.
          for (const one of text === undefined ? [...waiting.keys()] : [text]) told(one);
      }
    },
    said({ name, record, message }) {
      const isAttached = record["type"] === "attachment";
      if (waiting.size === 0 && !isAttached) return;
      const words = wordsIn(message["content"]).map((one) => one.trim());
      if (name === QUEUED) attached.add(words.join("\n"));
      const said = words.join("\n");
      if (!mayTell(said)) return;
      const lines = said.split("\n");
      const all = `\n${lines.join("\n")}\n`;
      for (const line of new Set(lines.flatMap((line) => [line, ...commandsIn(line)])))
        for (const text of byLine.get(line) ?? [])
          if (line !== longestLine(text) || all.includes(`\n${text}\n`)) told(text);
    },
    left: () => waiting.values(),
  };
}

/** A line that few others have and, of a command, the one by which the program tells of that. */
function linesOf(text: string): readonly string[] {
  const command = /^\/([\w:-]+)/.exec(text)?.[1];
  return command === undefined ? [longestLine(text)] : [longestLine(text), commandLine(command)];
}

function longestLine(text: string): string {
  return text.split("\n").reduce((one, next) => (next.length > one.length ? next : one));
}

function commandsIn(line: string): readonly string[] {
  return [...line.matchAll(/<command-name>\/?([\w:-]+)<\/command-name>/g)].map(([, command = ""]) =>
    commandLine(command),
  );
}

function commandLine(command: string): string {
  return `${COMMAND}/${command}</command-name>`;
}
