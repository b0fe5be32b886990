import type { RenderOptions } from "./renderer.ts";
import type { StepKind } from "./step-kind.ts";
import type { State } from "./step-state.ts";

/** Ways to set text apart in a terminal. */
export type Tone = "title" | "faint" | StepKind | Exclude<State, "ok">;

const codes: Readonly<Record<Tone, string>> = {
  title: "1",
  faint: "2",
  user: "34",
  context: "2",
  agent: "36",
  thought: "35",
  model: "94",
  tool: "33",
  memory: "36",
  answer: "32",
  other: "0",
  error: "31",
  running: "34",
  stopped: "35",
};

/** Marks of states, one column each. */
export const stateMarks: Readonly<Record<State, string>> = {
  ok: "✓",
  error: "✗",
  running: "…",
  stopped: "◌",
};

const asciiMarks: ReadonlyMap<string, string> = new Map([
  ["├", "|"],
  ["└", "`"],
  ["│", "|"],
  ["─", "-"],
  ["✓", "+"],
  ["✗", "x"],
  ["◌", "o"],
  ["…", "~"],
  ["·", "-"],
  ["←", "<"],
  ["→", ">"],
  ["⚠", "!"],
  ["×", "x"],
  ["–", "-"],
  ...[..."█▉▊▋▌"].map((block) => [block, "#"] as const),
  ...[..."▍▎▏"].map((block) => [block, "-"] as const),
]);

/** How a terminal reading is written: colours, columns, and marks of ASCII only where asked for. */
export interface Ink {
  readonly columns: number;
  paint(tone: Tone, text: string): string;
  /** A finished line, with its marks in the set that was asked for. */
  line(text: string): string;
}

/** The ink that options ask for. */
export function inkFrom(options: RenderOptions): Ink {
  const { color = false, unicode = true, width = 100 } = options;
  return {
    columns: Math.max(40, Math.trunc(width) || 100),
    paint: (tone, text) => (color && text !== "" ? `\u{1b}[${codes[tone]}m${text}\u{1b}[0m` : text),
    line: (text) =>
      unicode ? text : text.replace(/[├└│─✓✗◌…·←→⚠×]/g, (mark) => asciiMarks.get(mark) ?? mark),
  };
}
