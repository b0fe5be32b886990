import type { SpanRecord } from "@thoughtflow/schema";
import { titleOfPrompt } from "./prompt-title.ts";
import type { TranscriptLine } from "./transcript-line.ts";
import type { Run, TranscriptSpans } from "./transcript-spans.ts";

/** A record that is neither a prompt nor an answer. */
export interface OddRecord {
  readonly number: number;
  readonly name: string;
  readonly payload: object;
  readonly ms: number;
}

/** The runs of one session, one after the other: each begins with the prompts that its first answer was given to. */
export interface TranscriptRuns {
  /** The one that is open. */
  readonly current: Run | undefined;
  /** Whether prompts wait for their answer, and so for a run. */
  readonly isAsked: boolean;
  /** What no run holds yet. */
  readonly untold: readonly OddRecord[];
  prompt(line: TranscriptLine, text: string): void;
  /** What the run is named after that a prompt leads to: the first of the prompts that it answers. */
  keyOf(line: TranscriptLine): string;
  /** Keeps a record for the run that begins next. */
  keep(record: OddRecord): void;
  /** Closes the open run and begins the one that answers the prompts. */
  begin(first: Run["start"]): Iterable<SpanRecord>;
  /** Closes the open run, if there is one. */
  finish(): Iterable<SpanRecord>;
}

/** @param ending gives what a run leaves behind that is about to be closed */
export function createTranscriptRuns(
  spans: TranscriptSpans,
  ending: (run: Run) => Iterable<SpanRecord>,
): TranscriptRuns {
  let current: Run | undefined;
  let title: string | undefined;
  let prompts: { line: TranscriptLine; text: string }[] = [];
  let odd: OddRecord[] = [];

  function keyOf(line: TranscriptLine): string {
    const first = prompts[0]?.line ?? line;
    return first.uuid ?? `line-${first.number}`;
  }

  function* tellOdd(home: Run): Generator<SpanRecord> {
    for (const { number, name, payload, ms } of odd) {
      const time = { ms: Math.max(ms, home.start.ms), order: number };
      yield spans.generic(home, name, payload, time);
    }
    odd = [];
  }

  function* finish(): Generator<SpanRecord> {
    if (current === undefined) return;
    yield* ending(current);
    yield* tellOdd(current);
    yield spans.root(current);
    current = undefined;
  }

  function* begin(first: Run["start"]): Generator<SpanRecord> {
    yield* finish();
    const [prompt] = prompts;
    const key = prompt === undefined ? `line-${first.order}` : keyOf(prompt.line);
    current = spans.newRun(key, {
      ms: Math.min(prompt?.line.time ?? first.ms, first.ms),
      order: prompt?.line.number ?? first.order,
    });
    title ??= prompts.map(({ text }) => titleOfPrompt(text)).find((one) => one !== undefined);
    current.title = title;
    for (const { line, text } of prompts) {
      yield* spans.prompt(current, text, line, { ms: line.time ?? first.ms, order: line.number });
    }
    prompts = [];
    yield* tellOdd(current);
  }

  return {
    get current() {
      return current;
    },
    get isAsked() {
      return prompts.length > 0;
    },
    get untold() {
      return odd;
    },
    prompt: (line, text) => {
      prompts.push({ line, text });
    },
    keyOf,
    keep: (record) => {
      odd.push(record);
    },
    begin,
    finish,
  };
}
