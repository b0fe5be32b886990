import type { Run, Session, Step } from "@thoughtflow/schema";
import { agentLines } from "./agent-tree.ts";
import { oneLine } from "./clean-text.ts";
import { figureLines } from "./figure-lines.ts";
import { counted, formatDuration, formatUsage } from "./figures.ts";
import { revisedWord } from "./flow-labels.ts";
import {
  runFacts,
  runFigures,
  runHeading,
  runSubject,
  sessionFigures,
  sessionTitle,
} from "./flow-title.ts";
import { inGivenOrder } from "./given-order.ts";
import { otherSessionsOf } from "./other-sessions.ts";
import { columnsOf, fitColumns, plainText } from "./plain-text.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { revisedSteps } from "./revised-steps.ts";
import { idShortener } from "./short-ids.ts";
import { edgesOf } from "./step-edges.ts";
import { kindOf, labelWord } from "./step-kind.ts";
import { nestSteps } from "./step-nesting.ts";
import { flowState, stepState } from "./step-state.ts";
import { isBesideUser, stepSummary } from "./step-summary.ts";
import { type Ink, inkFrom } from "./terminal-ink.ts";
import { columnsOfPieces, type Piece, stateMark, writeLine } from "./terminal-line.ts";
import { thoughtPrefix } from "./thought-facts.ts";

/** The session as a tree for the terminal: its runs, in them their steps, each on one line with what it rests on. */
export const tree: Renderer = {
  name: "tree",
  mediaType: "text/plain; charset=utf-8",
  fileExtension: ".txt",
  render: renderTree,
};

/** A line of the tree. */
export interface TreeLine {
  /** The run, step, agent or concern that it tells of, and in which state: another one for each. */
  readonly about: string;
  readonly text: string;
}

function renderTree(session: Session, options: RenderOptions = {}): string {
  const ink = inkFrom(options);
  const title = sessionTitle(session);
  // What nobody asked anything in is called by its id.
  const id = title === session.session_id ? [] : [session.session_id];
  const head = [
    writeLine(ink, [stateMark(flowState(session)), ["title", title]]),
    ...figureLines(sessionFigures(session), ink.columns).map((figures) =>
      writeLine(ink, [[undefined, figures]]),
    ),
    ...[...id, ...otherSessionsOf(session)].map((told) => writeLine(ink, [["faint", told]])),
  ];
  const lines = treeLines(session, options).map(({ text }) => text);
  return `${head.concat(lines).join("\n")}\n`;
}

/** What stands below the lines about the session. */
export function treeLines(session: Session, options: RenderOptions = {}): readonly TreeLine[] {
  const ink = inkFrom(options);
  const naming = {
    shorten: idShortener(session),
    context: contextIds(session),
    revised: revisedSteps(session),
  };
  const runs = [...session.conversations.entries()].filter(
    ([, run]) => options.run === undefined || run.conversation_id === options.run,
  );
  const lines = [...agentsOf(session, options, ink)];
  for (const [at, [place, run]] of runs.entries()) {
    const last = at === runs.length - 1;
    const state = flowState(run);
    const only = session.conversations.length === 1;
    const named: Piece[] = [
      ["faint", last ? "└─ " : "├─ "],
      stateMark(state),
      ["title", `Run ${place + 1} `],
      ["faint", `${fitColumns(run.conversation_id, 24)}  `],
    ];
    const left = ink.columns - columnsOfPieces(named) - leastFacts;
    const told = left < roomForNames ? runSubject(run, 48) : runHeading(run, 64);
    const title = only ? "" : fitColumns(told, Math.max(16, left));
    const head: Piece[] = [
      ...named,
      [undefined, title === "" || title === run.conversation_id ? "" : `${title}  `],
    ];
    const room = ink.columns - columnsOfPieces(head);
    const facts = wholeFigures(only ? runFacts(run) : runFigures(run), room);
    lines.push({
      about: aboutOf("run", run.conversation_id, state),
      text: writeLine(ink, [...head, ["faint", facts]]),
    });
    // Not spread: a run may have more steps than a call may have arguments.
    for (const line of runLines(run, last ? "   " : "│  ", ink, naming)) lines.push(line);
  }
  for (const text of concerns(session)) {
    const line = writeLine(ink, [
      ["error", "⚠ "],
      [undefined, text],
    ]);
    lines.push({ about: aboutOf("concern", text), text: line });
  }
  return lines;
}

/** Columns that the title of a run leaves to how it went and how long that took. */
const leastFacts = 26;

/** Columns of a run's title of which its agent's name leaves enough for what was asked; of fewer it gives way. */
const roomForNames = 32;

function aboutOf(...words: readonly string[]): string {
  return JSON.stringify(words);
}

/** Who asked whom, where there is more than one agent. */
function agentsOf(session: Session, { run }: RenderOptions, ink: Ink): readonly TreeLine[] {
  const agents = run === undefined ? agentLines(session) : [];
  return agents.map(({ depth, name, figures }, place) => {
    const indent = "   ".repeat(depth);
    const named = `◇ ${name}`;
    const free = ink.columns - indent.length - 2;
    const least = Math.min(columnsOf(plainText(named)), leastName);
    const told = wholeFigures(figures, free - least);
    const shown = fitColumns(named, Math.max(leastName, free - columnsOf(told)));
    return {
      about: aboutOf("agent", String(place), name),
      text: writeLine(ink, [
        ["faint", indent],
        ["agent", `${shown}  `],
        ["faint", told],
      ]),
    };
  });
}

/** Columns of an agent's name that its figures have to leave: so many tell it from others of its name. */
const leastName = 40;

/** How a line names other steps. */
interface Naming {
  shorten(id: string): string;
  /** Steps that most calls are given, and commands that a program did itself: named last, when there is room. */
  readonly context: ReadonlySet<string>;
  /** Steps that a later one revises, and which. */
  readonly revised: ReadonlyMap<Step, string>;
}

function contextIds(session: Session): ReadonlySet<string> {
  const steps = session.conversations.flatMap((run) => run.steps);
  return new Set(
    steps
      .filter((step) => kindOf(step) === "context" || isBesideUser(step))
      .map((step) => step.step_id),
  );
}

/** As many figures as fit, none of them cut. */
function wholeFigures(figures: readonly string[], columns: number): string {
  const fits = (count: number): boolean =>
    columnsOf(plainText(figures.slice(0, count).join(" · "))) <= columns;
  let count = figures.length;
  while (count > 1 && !fits(count)) count -= 1;
  return figures.slice(0, count).join(" · ");
}

function runLines(run: Run, margin: string, ink: Ink, naming: Naming): readonly TreeLine[] {
  return nestSteps(inGivenOrder(run.steps)).map(({ step, branches }) => {
    const stems = branches.map((more, depth) =>
      depth < branches.length - 1 ? (more ? "│  " : "   ") : more ? "├─ " : "└─ ",
    );
    const state = stepState(step);
    const head: Piece[] = [
      ["faint", margin + stems.join("")],
      stateMark(state),
      [kindOf(step), `${oneLine(labelWord(step))} `],
      ["faint", `${naming.shorten(step.step_id)}  `],
    ];
    const by = naming.revised.get(step);
    const fate = by === undefined ? "" : `${revisedWord(naming.shorten(by))} · `;
    const said = (limit: number): string =>
      plainText(fate + thoughtPrefix(step) + stepSummary(step, limit));
    const whole = said(200);
    const figures = figuresOf(step);
    const free = ink.columns - columnsOfPieces(head) - columnsOf(figures);
    const rests = dependencies(step, naming, free - Math.min(columnsOf(whole), longestUncut));
    const room = Math.max(16, free - columnsOf(rests));
    // Cut at its end, what failed would keep what it was given and lose why.
    const isCut = state === "error" && columnsOf(whole) > room;
    const summary = fitColumns(isCut ? said(room) : whole, room);
    const tail = `${figures}${rests}`.slice(whole === "" ? 2 : 0);
    const text = writeLine(ink, [
      ...head,
      [state === "error" ? "error" : by === undefined ? undefined : "faint", summary],
      ["faint", tail],
    ]);
    return { about: aboutOf("step", run.conversation_id, step.step_id, state), text };
  });
}

function figuresOf(step: Step): string {
  const figures = [
    !step.duration_ms ? "" : formatDuration(step.duration_ms),
    formatUsage(step.usage),
  ].filter((figure) => figure !== "");
  return figures.length === 0 ? "" : `  ${figures.join(" · ")}`;
}

/** Columns of a summary that what the step rests on has to leave. */
const longestUncut = 40;

/** `← s1, s2 +3`: as many names as there is room for, at least one. */
function dependencies(step: Step, { shorten, context }: Naming, columns: number): string {
  const all = [...new Set(edgesOf(step).map((edge) => edge.to))];
  const targets = [...all.filter((id) => !context.has(id)), ...all.filter((id) => context.has(id))];
  const named: string[] = [];
  let room = columns - 6;
  for (const target of targets) {
    const name = fitColumns(plainText(shorten(target)), 24);
    room -= columnsOf(name) + 2;
    if (room < 0 && named.length > 0) break;
    named.push(name);
  }
  const left = targets.length - named.length;
  if (named.length === 0) return "";
  return `  ← ${named.join(", ")}${left === 0 ? "" : ` +${left}`}`;
}

function concerns(session: Session): readonly string[] {
  const { completeness, warnings = [] } = session;
  const open = completeness?.open_steps?.length ?? 0;
  const missing = completeness?.missing_parents?.length ?? 0;
  return [
    ...(open === 0 ? [] : [`${counted(open, "step")} never ended`]),
    ...(missing === 0 ? [] : [`${counted(missing, "parent span")} missing`]),
    ...warnings.slice(0, 10).map(({ code, message }) => `${code}: ${oneLine(message)}`),
    ...(warnings.length > 10 ? [counted(warnings.length - 10, "more warning")] : []),
  ];
}
