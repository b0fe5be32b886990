import type { Run, Session } from "@thoughtflow/schema";
import { createStepIndex, knownDuration } from "@thoughtflow/schema/steps";
import { provenanceOf, type RangedPart } from "./provenance-of.ts";

/** A figure of one run, by name: `errors`, `input tokens`, the name of a score. */
export type RunFigures = Readonly<Record<string, number>>;

/** A figure before and after a change of one adaptation. */
export interface ProofFigure {
  readonly name: string;
  /** Means over the runs that have the figure; absent where none has. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** Runs that differ only in one adaptation. */
export interface Proof {
  /** The adaptation's version in the runs before, and in those after; absent: it was not part of the prompt. */
  readonly versions: { readonly before: string | undefined; readonly after: string | undefined };
  readonly runs: { readonly before: number; readonly after: number };
  readonly figures: readonly ProofFigure[];
}

/** A score of a run: what `score` wrote beside the file. */
export interface RunScore {
  readonly session: string;
  readonly run: string;
  readonly name: string;
  readonly value: number;
}

/** Parts that are another in every run, whatever the program was told. */
const PASSING: ReadonlySet<string> = new Set([
  "user_instruction",
  "context_preamble",
  "unattributed",
  "memory",
  "retrieved",
  "history",
  "tool_output",
  "previous_response_id",
]);

interface Observed {
  readonly run: Run;
  /** What else shaped the run: agent, channel, model, tools, the other parts. Equal texts, equal ground. */
  readonly ground: string;
  readonly version: string | undefined;
  readonly figures: RunFigures;
}

/**
 * Compares the runs before and after the latest change of an adaptation: its last version against the one before it, over
 * runs with composed prompts that were equal in everything else that lasts. `undefined` where there are no two such
 * groups of runs.
 */
export function proofOf(
  sessions: readonly Session[],
  id: string,
  scores: readonly RunScore[] = [],
): Proof | undefined {
  const all = sessions
    .flatMap((session) =>
      session.conversations.flatMap((run) => observed(session, run, id, scores) ?? []),
    )
    .toSorted((a, b) => ((a.run.started_at ?? "") < (b.run.started_at ?? "") ? -1 : 1));
  const latest = all.at(-1);
  const earlier =
    latest &&
    all.findLast(({ version, ground }) => version !== latest.version && ground === latest.ground);
  if (latest === undefined || earlier === undefined) return undefined;
  const after = all.filter(({ version }) => version === latest.version);
  const before = all.filter(({ version }) => version === earlier.version);
  const grounds = new Set(before.map(({ ground }) => ground));
  const shared = new Set(after.map(({ ground }) => ground).filter((ground) => grounds.has(ground)));
  const [first, second] = [before, after].map((runs) =>
    runs.filter(({ ground }) => shared.has(ground)),
  ) as [Observed[], Observed[]];
  const names = new Set([...first, ...second].flatMap(({ figures }) => Object.keys(figures)));
  return {
    versions: { before: earlier.version, after: latest.version },
    runs: { before: first.length, after: second.length },
    figures: [...names].map((name) => ({
      name,
      before: mean(first, name),
      after: mean(second, name),
    })),
  };
}

function observed(
  session: Session,
  run: Run,
  id: string,
  scores: readonly RunScore[],
): Observed | undefined {
  const index = createStepIndex(session);
  const calls = run.steps.filter(({ label }) => label === "assistant_call");
  const parts = calls.flatMap((step) => provenanceOf({ run, step }, index)?.parts ?? []);
  if (parts.length === 0) return undefined;
  const own = parts.find((part) => part.id === id);
  const lasting = parts.filter((part) => !PASSING.has(part.type) && part.id !== id).map(nameOf);
  const tools = run.steps.filter(({ label }) => label === "tool.schemas.snapshot");
  const ground = JSON.stringify([
    run.agent,
    run.channel,
    [...new Set(calls.map((call) => call.payload_started?.["model"]))],
    [...new Set(tools.map((step) => step.step_id))].toSorted(),
    [...new Set(lasting)].toSorted(),
  ]);
  return {
    run,
    ground,
    version: own && (own.version ?? own.hash ?? ""),
    figures: figuresOf(session, run, scores),
  };
}

function nameOf({ type, id, version, hash, text }: RangedPart): string {
  return JSON.stringify([type, id, version ?? hash ?? text]);
}

function figuresOf({ session_id }: Session, run: Run, scores: readonly RunScore[]): RunFigures {
  const { totals } = run;
  const cost = Number(totals?.cost?.total ?? Number.NaN);
  const figures: [string, number | undefined][] = [
    ["errors", totals?.errors],
    ["steps", totals?.steps],
    ["model calls", totals?.model_calls],
    ["tool calls", totals?.tool_calls],
    ["input tokens", totals?.input_tokens],
    ["output tokens", totals?.output_tokens],
    ["cost", Number.isFinite(cost) ? cost : undefined],
    ["duration (ms)", knownDuration(run)],
    ...scores
      .filter((score) => score.session === session_id && score.run === run.conversation_id)
      .map(({ name, value }): [string, number] => [`score ${name}`, value]),
  ];
  return Object.fromEntries(
    figures.filter((figure): figure is [string, number] => figure[1] !== undefined),
  );
}

function mean(runs: readonly Observed[], name: string): number | undefined {
  const values = runs.flatMap(({ figures }) => figures[name] ?? []);
  return values.length === 0
    ? undefined
    : values.reduce((sum, value) => sum + value, 0) / values.length;
}
