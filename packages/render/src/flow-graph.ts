import type { Edge, EdgeOrigin, Run, Session, Step } from "@thoughtflow/schema";
import { createStepIndex, type PlacedStep } from "@thoughtflow/schema/steps";
import { plainTypes } from "./edge-types.ts";
import type { FlowBox, FlowLane } from "./flow-lanes.ts";
import { foldAllRuns, foldRuns, type RunGroup } from "./fold-runs.ts";
import { inGivenOrder } from "./given-order.ts";
import { onceASession } from "./once-a-session.ts";
import type { RenderOptions } from "./renderer.ts";
import { revisedSteps } from "./revised-steps.ts";
import { edgesOf } from "./step-edges.ts";

/** Where an arrow begins or ends: at a box, or at a lane as a whole. */
export interface FlowEnd {
  readonly lane: FlowLane;
  readonly box?: FlowBox;
}

/** How an arrow looks: by the origin of its edge, or `order` where only the sequence is shown. */
export type LineStyle = EdgeOrigin | "order";

/** An arrow from what is rested on to what rests on it; one for each pair, the strongest edge speaking. */
export interface FlowEdge {
  readonly from: FlowEnd;
  readonly to: FlowEnd;
  readonly style: LineStyle;
  readonly type: string;
  readonly confidence?: number;
}

/** What a drawing shows of a session: the same for every format. */
export interface FlowGraph {
  readonly lanes: readonly FlowLane[];
  readonly edges: readonly FlowEdge[];
  /** Edges left out because a drawing holds no more than 1,000. */
  readonly omittedEdges: number;
}

/** More arrows than this hide one another. */
const maxEdges = 1000;
const strength: Readonly<Record<LineStyle, number>> = {
  declared: 3,
  observed: 2,
  inferred: 1,
  order: 0,
};

/**
 * The boxes and arrows of a session, or of one run and what it is tied to. Steps of other libraries (`generic`)
 * are left out unless something rests on them, a run has no others or one run alone is drawn. Large sessions are folded. The session must not
 * change any more.
 */
export function flowGraph(session: Session, options: FlowOptions = {}): FlowGraph {
  const isUsual = options.run === undefined && !options.areRunsFolded;
  return isUsual ? usualGraph(session) : graphOf(session, options);
}

type FlowOptions = Pick<RenderOptions, "run" | "areRunsFolded" | "standsFor" | "stretches">;

/** The D2 and the SVG of a session show the same graph. */
const usualGraph = onceASession((session) => graphOf(session, {}));

function graphOf(session: Session, options: FlowOptions): FlowGraph {
  const { run: focus, areRunsFolded } = options;
  const ties = tiesOf(session, focus);
  const shown = new Set<Step>();
  for (const { from, to } of ties) {
    if (focus !== undefined) shown.add(to.step);
    if (focus !== undefined || isGeneric(from.step)) shown.add(from.step);
  }
  const bare = new Set(session.conversations.filter(({ steps }) => steps.every(isGeneric)));
  const isShown = (step: Step, run: Run): boolean =>
    (focus === undefined ? !isGeneric(step) || bare.has(run) : isRun(run, focus)) ||
    shown.has(step);
  const folded = areRunsFolded
    ? foldAllRuns(session, options)
    : foldRuns(groupsOf(session, focus, isShown));
  const lanes = withRevisions(folded, revisedSteps(session));
  const drawn = strongestPerPair(ties, endsOf(lanes, isShown));
  const edges = [...drawn.slice(0, maxEdges), ...orderOf(lanes, drawn)];
  return { lanes, edges, omittedEdges: Math.max(0, drawn.length - maxEdges) };
}

function isGeneric({ label }: Step): boolean {
  return label === "generic";
}

function groupsOf(
  { conversations }: Session,
  focus: string | undefined,
  isShown: (step: Step, run: Run) => boolean,
): readonly RunGroup[] {
  return conversations
    .map((run, place) => ({
      run,
      number: place + 1,
      focused: isRun(run, focus),
      steps: inGivenOrder(run.steps).filter((step) => isShown(step, run)),
    }))
    .filter(({ focused, steps }) => focus === undefined || focused || steps.length > 0);
}

function withRevisions(
  lanes: readonly FlowLane[],
  revised: ReadonlyMap<Step, string>,
): readonly FlowLane[] {
  if (revised.size === 0) return lanes;
  return lanes.map((lane) => ({
    ...lane,
    boxes: lane.boxes.map((box): FlowBox => {
      if (box.step === undefined) return box;
      const revisedBy = revised.get(box.step);
      return revisedBy === undefined ? box : { ...box, revisedBy };
    }),
  }));
}

interface Tie {
  readonly from: PlacedStep;
  readonly to: PlacedStep;
  readonly edge: Edge;
}

function tiesOf(session: Session, focus: string | undefined): readonly Tie[] {
  const index = createStepIndex(session);
  const ties: Tie[] = [];
  for (const run of session.conversations) {
    for (const step of run.steps) {
      const to = { run, step };
      for (const edge of edgesOf(step)) {
        const from = index(edge.to, run);
        if (from === undefined || from.step === step) continue;
        if (focus !== undefined && !isRun(run, focus) && !isRun(from.run, focus)) continue;
        ties.push({ from, to, edge });
      }
    }
  }
  return ties;
}

function isRun(run: Run, id: string | undefined): boolean {
  return id !== undefined && (run.conversation_id === id || run.run_id === id);
}

/** Where a step is drawn: in its box, in the box of a fold, or in the folded lane of its run. */
type FindEnd = (placed: PlacedStep) => FlowEnd | undefined;

function endsOf(lanes: readonly FlowLane[], isShown: (step: Step, run: Run) => boolean): FindEnd {
  const ofSteps = new Map<Step, FlowEnd>();
  const ofRuns = new Map<Run, FlowEnd>();
  for (const lane of lanes) {
    for (const box of lane.boxes) {
      const end = { lane, box };
      for (const step of box.steps) ofSteps.set(step, end);
    }
    const isWhole = lane.folded || lane.boxes.some(({ steps }) => steps.length === 0);
    if (!isWhole) continue;
    const end = { lane };
    for (const run of lane.runs) ofRuns.set(run, end);
  }
  return ({ run, step }) => {
    const lane = ofRuns.get(run);
    return lane !== undefined && isShown(step, run) ? lane : ofSteps.get(step);
  };
}

function strongestPerPair(ties: readonly Tie[], endOf: FindEnd): readonly FlowEdge[] {
  const byPair = new Map<string, FlowEdge>();
  for (const { from, to, edge } of ties) {
    const source = endOf(from);
    const target = endOf(to);
    // Of a large session nearly all ties are within one folded run.
    if (source === undefined || target === undefined || source === target) continue;
    if (endId(source) === endId(target)) continue;
    const pair = `${endId(source)} ${endId(target)}`;
    const known = byPair.get(pair);
    if (known !== undefined && !saysMore(edge, known)) continue;
    const { confidence, origin: style, type } = edge;
    byPair.set(pair, {
      from: source,
      to: target,
      style,
      type,
      ...(confidence !== undefined && { confidence }),
    });
  }
  return [...byPair.values()];
}

/** A stronger edge speaks for a pair; of equal ones the first whose type says something. */
function saysMore({ origin, type }: Edge, known: FlowEdge): boolean {
  const more = strength[origin] - strength[known.style];
  return more > 0 || (more === 0 && plainTypes.has(known.type) && !plainTypes.has(type));
}

/** Identifies a place in the graph. */
export function endId({ lane, box }: FlowEnd): string {
  return box?.id ?? lane.id;
}

/** Runs follow one another; so do the steps of a run that has no edge at all. */
function orderOf(lanes: readonly FlowLane[], edges: readonly FlowEdge[]): readonly FlowEdge[] {
  const order: FlowEdge[] = [];
  const tied = new Set(
    edges.filter(({ from, to }) => from.lane === to.lane).map(({ to }) => to.lane),
  );
  const drawn = new Set(edges.map(({ from, to }) => `${endId(from)} ${endId(to)}`));
  const laneOf = new Map<string, FlowLane>();
  for (const lane of lanes) for (const run of lane.runs) laneOf.set(run.conversation_id, lane);
  for (const [place, lane] of lanes.entries()) {
    const named = laneOf.get(lane.runs[0]?.previous_run ?? "");
    const previous = named ?? lanes[place - 1];
    const isDrawn = previous !== undefined && drawn.has(`${previous.id} ${lane.id}`);
    if (previous !== undefined && previous !== lane && !isDrawn) {
      order.push({ from: { lane: previous }, to: { lane }, style: "order", type: "next_run" });
    }
    if (tied.has(lane)) continue;
    for (const [at, box] of lane.boxes.entries()) {
      const before = lane.boxes[at - 1];
      if (before === undefined || isOfAgents(box)) continue;
      order.push({
        from: { lane, box: before },
        to: { lane, box },
        style: "order",
        type: "next_step",
      });
    }
  }
  return order;
}

/** They work beside the others. */
function isOfAgents(box: FlowBox): boolean {
  return box.step === undefined && box.stretch?.agent !== undefined;
}
