import type { Doubt, Why, WhyNode } from "@thoughtflow/provenance";
import type { Session, Step } from "@thoughtflow/schema";
import { oneLine } from "./clean-text.ts";
import { edgeWords } from "./edge-words.ts";
import { counted } from "./figures.ts";
import { kindsOf } from "./kinds-of-steps.ts";
import type { RenderOptions } from "./renderer.ts";
import { idShortener } from "./short-ids.ts";
import { kindOf, labelWord } from "./step-kind.ts";
import { stepState } from "./step-state.ts";
import { isRecord, isText, stepSummary } from "./step-summary.ts";
import { type Ink, inkFrom, type Tone } from "./terminal-ink.ts";
import { fittedLine, type Piece, stateMark, writeLine } from "./terminal-line.ts";

const LONGEST_SUMMARY = 200;
const SHOWN_DOUBTS = 8;

interface View {
  readonly ink: Ink;
  readonly lines: string[];
  /** How many lines may still come. */
  left: number;
  shorten(id: string): string;
}

/** How many lines of causes are drawn, unless told otherwise. */
const LONGEST_TREE = 300;

/**
 * The answer to "why?" for the terminal: what to doubt first, then a tree from the step to what it rests on, each line
 * with how it is known.
 */
export function renderWhy(session: Session, why: Why, options: RenderOptions = {}): string {
  const ink = inkFrom(options);
  const view: View = { ink, lines: [], left: LONGEST_TREE, shorten: idShortener(session) };
  const { top, steps } = why;
  const counts = kindsOf(steps.map(({ step }) => step));
  view.lines.push(
    writeLine(ink, [["title", `Why ${view.shorten(top.id)}`]]),
    writeLine(ink, [
      [
        "faint",
        steps.length === 0
          ? "It rests on nothing that the session knows."
          : `It rests on ${counts}.`,
      ],
    ]),
  );
  doubtLines(why, view);
  view.lines.push("");
  nodeLines(top, ["", ""], view);
  if (view.left < 0) {
    view.lines.push(writeLine(ink, [["faint", `… ${counted(-view.left, "more line")}`]]));
  }
  return `${view.lines.join("\n")}\n`;
}

const DOUBT_MARKS: Readonly<Record<Doubt["kind"], Piece>> = {
  failed: ["error", "✗ "],
  revised: ["stopped", "◌ "],
  missing: ["stopped", "? "],
  unsure: ["faint", "~ "],
  inferred: ["faint", "~ "],
};

function doubtLines({ doubts, top }: Why, { ink, lines, shorten }: View): void {
  const below = doubts.filter(({ node }) => node !== top);
  if (below.length === 0) return;
  lines.push("", writeLine(ink, [["title", "Look at this first"]]));
  for (const { node, doubt } of below.slice(0, SHOWN_DOUBTS)) {
    const said = node.placed === undefined ? node.id : summaryOf(node.placed.step, false);
    const word = node.placed === undefined ? "" : `${oneLine(labelWord(node.placed.step))} `;
    lines.push(
      fittedLine(
        ink,
        [["faint", "   "], DOUBT_MARKS[doubt.kind], [toneOf(node.placed?.step), word]],
        [undefined, said],
        [
          [doubt.kind === "failed" ? "error" : "faint", `  ${oneLine(doubt.text)}`],
          ["faint", `  ${shorten(node.id)}`],
        ],
      ),
    );
  }
  if (below.length > SHOWN_DOUBTS) {
    lines.push(writeLine(ink, [["faint", `   … ${below.length - SHOWN_DOUBTS} more`]]));
  }
}

function nodeLines(node: WhyNode, [stem, margin]: readonly [string, string], view: View): void {
  const { head, call, causes } = mergedWithCall(node);
  const { ink, shorten } = view;
  const step = head.placed?.step;
  const notes = head.doubts.filter(({ kind }) => kind !== "failed" && kind !== "inferred");
  push(
    view,
    fittedLine(
      ink,
      [
        ["faint", stem],
        step === undefined ? ["stopped", "? "] : stateMark(stepState(step)),
        [toneOf(step), step === undefined ? "" : `${oneLine(labelWord(call ?? step))} `],
      ],
      [
        step !== undefined && stepState(step) === "error" ? "error" : undefined,
        step === undefined ? head.id : whole(step, call),
      ],
      [
        ...notes.map(({ text }): Piece => ["stopped", `  ${oneLine(text)}`]),
        [
          "faint",
          `  ${[head.edge && edgeWords(head.edge), shorten(call?.step_id ?? head.id)].filter(isText).join(" · ")}`,
        ],
      ],
    ),
  );
  const parts = step?.label === "assistant_call" ? promptParts(step) : "";
  const spelled = causes.filter(({ seen }) => !seen);
  const above = causes.filter(({ seen }) => seen);
  const below: ((stems: readonly [string, string]) => void)[] = [
    ...spelled.map((cause) => (stems: readonly [string, string]) => nodeLines(cause, stems, view)),
    ...(above.length === 0
      ? []
      : [
          (stems: readonly [string, string]) =>
            push(
              view,
              writeLine(ink, [
                [
                  "faint",
                  `${stems[0]}and, as above: ${above.map(({ id }) => shorten(id)).join(", ")}`,
                ],
              ]),
            ),
        ]),
  ];
  if (parts !== "") {
    const bar = below.length > 0 ? "│  " : "   ";
    push(view, writeLine(ink, [["faint", `${margin}${bar}prompt: ${parts}`]]));
  }
  for (const [at, draw] of below.entries()) {
    const last = at === below.length - 1;
    draw([`${margin}${last ? "└─ " : "├─ "}`, `${margin}${last ? "   " : "│  "}`]);
  }
}

function push(view: View, line: string): void {
  view.left -= 1;
  if (view.left >= 0) view.lines.push(line);
}

/** A tool's output and the call that gave it are one line. */
function mergedWithCall(node: WhyNode): {
  readonly head: WhyNode;
  readonly call: Step | undefined;
  readonly causes: readonly WhyNode[];
} {
  const [only, ...others] = node.causes;
  const label = node.placed?.step.label;
  const call = only?.placed?.step;
  const isOutput = label === "tool_output" || label === "tool_error";
  if (
    !isOutput ||
    others.length > 0 ||
    only === undefined ||
    only.seen ||
    call?.label !== "tool_call"
  ) {
    return { head: node, call: undefined, causes: node.causes };
  }
  return { head: { ...node, doubts: [...node.doubts, ...only.doubts] }, call, causes: only.causes };
}

function whole(step: Step, call: Step | undefined): string {
  const own = summaryOf(step, true);
  return call === undefined ? own : `${summaryOf(call, true)} → ${own}`;
}

function summaryOf(step: Step, withError: boolean): string {
  const { error: _, ...rest } = step;
  return stepSummary(withError ? step : rest, LONGEST_SUMMARY);
}

/** `channel_preamble 56 · personality 121 characters`. */
function promptParts({ payload_started: started }: Step): string {
  const provenance = started?.["prompt_provenance"];
  if (!isRecord(provenance)) return "";
  const { parts, assembly } = provenance;
  if (!Array.isArray(parts) || !Array.isArray(assembly)) return "";
  return assembly
    .flatMap((range: unknown) => {
      if (!isRecord(range)) return [];
      const part: unknown = parts[Number(range["part"])];
      const length = Number(range["end"]) - Number(range["start"]);
      if (!isRecord(part) || Number.isNaN(length)) return [];
      return [`${oneLine(String(part["type"]))} ${length}`];
    })
    .join(" · ");
}

function toneOf(step: Step | undefined): Tone {
  return step === undefined ? "stopped" : kindOf(step);
}
