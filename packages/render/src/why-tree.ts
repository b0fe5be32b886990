import type { WhyNode } from "@thoughtflow/provenance";
import type { Step } from "@thoughtflow/schema";
import { oneLine } from "./clean-text.ts";
import { edgeWords } from "./edge-words.ts";
import { kindOf, labelWord } from "./step-kind.ts";
import { stepState } from "./step-state.ts";
import { isBesideUser, isRecord, isText } from "./step-summary.ts";
import type { Ink, Tone } from "./terminal-ink.ts";
import { fittedLine, type Piece, stateMark, writeLine } from "./terminal-line.ts";
import { summaryOf } from "./thought-facts.ts";

/** A tree of more levels than these is told as a story: its longest chain is not set in. */
const MOST_LEVELS = 6;

/** A tree of causes as lines. */
export interface WhyTree {
  readonly lines: Iterable<string>;
  /** Whether each line rests on the next one that stands as far in. */
  readonly isStory: boolean;
}

/** The tree from a step to what it rests on, each line with how it is known. */
export function whyTree(top: WhyNode, ink: Ink, shorten: (id: string) => string): WhyTree {
  const heights = heightsOf(top);
  const isStory = (heights.get(top) ?? 0) > MOST_LEVELS;
  return { isStory, lines: linesOf(top, { ink, shorten, heights, isStory }) };
}

/** A step that the tree shows, where it stands, and what is drawn below it. */
interface Placed {
  readonly node: WhyNode;
  /** What stands before it, and before what belongs to it. */
  readonly stem: string;
  readonly margin: string;
}

interface Drawing {
  readonly ink: Ink;
  readonly heights: ReadonlyMap<WhyNode, number>;
  readonly isStory: boolean;
  shorten(id: string): string;
}

/** A tool's output and the call that gave it are one line. */
interface Line {
  readonly head: WhyNode;
  readonly call: Step | undefined;
  readonly causes: readonly WhyNode[];
}

/** One line after the other, with no more of the tree at hand than what is still to come: it may be very deep. */
function* linesOf(top: WhyNode, drawing: Drawing): Generator<string> {
  const { ink, shorten, heights, isStory } = drawing;
  const pending: (Placed | string)[] = [{ node: top, stem: "", margin: "" }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === "string") {
      yield next;
      continue;
    }
    const { node, stem, margin } = next;
    const line = mergedWithCall(node);
    const spelled = inOrder(line.causes.filter(({ seen }) => !seen));
    const known = line.causes.filter(isWorthNaming).map(({ id }) => shorten(id));
    const trunk = isStory ? highest(spelled, heights) : undefined;
    const branches = spelled.filter((cause) => cause !== trunk);
    const isLast = (at: number, count: number): boolean => at === count - 1 && trunk === undefined;
    yield headLine(line, stem, drawing);
    const parts = promptParts(line.head.placed?.step);
    if (parts !== "") {
      const bar = branches.length + known.length > 0 || trunk !== undefined ? "│  " : "   ";
      yield writeLine(ink, [["faint", `${margin}${bar}prompt: ${parts}`]]);
    }
    const count = branches.length + (known.length > 0 ? 1 : 0);
    if (trunk !== undefined) pending.push({ node: trunk, stem: margin, margin });
    if (known.length > 0) {
      const mark = isLast(count - 1, count) ? "└─ " : "├─ ";
      pending.push(writeLine(ink, [["faint", `${margin}${mark}and also ${known.join(", ")}`]]));
    }
    for (const [at, cause] of [...branches.entries()].reverse()) {
      const last = isLast(at, count);
      pending.push({
        node: cause,
        stem: `${margin}${last ? "└─ " : "├─ "}`,
        margin: `${margin}${last ? "   " : "│  "}`,
      });
    }
  }
}

function headLine({ head, call }: Line, stem: string, { ink, shorten }: Drawing): string {
  const step = head.placed?.step;
  const notes = head.doubts.filter(({ kind }) => kind === "revised" || kind === "missing");
  const isFailed = step !== undefined && stepState(step) === "error";
  const how = [head.edge && edgeWords(head.edge), shorten(call?.step_id ?? head.id)];
  return fittedLine(
    ink,
    [
      ["faint", stem],
      step === undefined ? ["stopped", "? "] : stateMark(stepState(step)),
      [toneOf(step), step === undefined ? "" : `${oneLine(labelWord(call ?? step))} `],
    ],
    [isFailed ? "error" : undefined, step === undefined ? head.id : saidOf(step, call)],
    [
      ...notes.map(({ text }): Piece => ["stopped", `  ${oneLine(text)}`]),
      ["faint", `  ${how.filter(isText).join(" · ")}`],
    ],
  );
}

/** How many levels hang below each node, itself included. */
function heightsOf(top: WhyNode): ReadonlyMap<WhyNode, number> {
  const nodes = [top];
  for (const { causes } of nodes) for (const cause of causes) nodes.push(cause);
  const heights = new Map<WhyNode, number>();
  for (const node of nodes.reverse()) {
    const below = node.causes.map((cause) => (cause.seen ? 0 : (heights.get(cause) ?? 0)));
    heights.set(node, 1 + below.reduce((most, one) => Math.max(most, one), 0));
  }
  return heights;
}

function highest(
  causes: readonly WhyNode[],
  heights: ReadonlyMap<WhyNode, number>,
): WhyNode | undefined {
  const height = (cause: WhyNode): number => heights.get(cause) ?? 0;
  return causes.reduce<WhyNode | undefined>(
    (most, cause) => (most === undefined || height(cause) > height(most) ? cause : most),
    undefined,
  );
}

/** What was answered before what was given beside that. */
function inOrder(causes: readonly WhyNode[]): readonly WhyNode[] {
  const isBeside = ({ placed }: WhyNode) => placed !== undefined && isBesideUser(placed.step);
  return [...causes.filter((cause) => !isBeside(cause)), ...causes.filter(isBeside)];
}

/** What is spelled out elsewhere; not what every call is given. */
function isWorthNaming({ seen, placed }: WhyNode): boolean {
  return seen && (placed === undefined || kindOf(placed.step) !== "context");
}

function mergedWithCall(node: WhyNode): Line {
  const [only, ...others] = node.causes;
  const label = node.placed?.step.label;
  const call = only?.placed?.step;
  const isOutput = label === "tool_output" || label === "tool_error";
  const isOne = isOutput && others.length === 0 && only?.seen === false;
  if (!isOne || call?.label !== "tool_call")
    return { head: node, call: undefined, causes: node.causes };
  return { head: { ...node, doubts: [...node.doubts, ...only.doubts] }, call, causes: only.causes };
}

/** `search { … } → 3 results`; an error that stands at the call is not said again by its output. */
function saidOf(step: Step, call: Step | undefined): string {
  if (call === undefined) return summaryOf(step);
  const isSaid = step.label === "tool_error" && call.error !== undefined;
  return isSaid ? summaryOf(call) : `${summaryOf(call)} → ${summaryOf(step)}`;
}

/** `channel_preamble 56 · personality 121`. */
function promptParts(step: Step | undefined): string {
  const provenance =
    step?.label === "assistant_call" ? step.payload_started?.["prompt_provenance"] : undefined;
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

/** The colour of a step's kind. */
export function toneOf(step: Step | undefined): Tone {
  return step === undefined ? "stopped" : kindOf(step);
}
