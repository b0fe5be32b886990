import type { Session } from "@thoughtflow/schema";
import { oneLine, snippet } from "./clean-text.ts";
import { foldedLabel, foldedRunLabel, laneLabel } from "./flow-labels.ts";
import type { FlowBox, FlowLane } from "./flow-lanes.ts";
import { isChosenId } from "./short-ids.ts";
import { type Detail, stepDetails } from "./step-details.ts";
import { kindOf, labelWord, type StepKind, stepKinds } from "./step-kind.ts";
import { flowState, type State, stepState } from "./step-state.ts";
import { stepName, stepSummary } from "./step-summary.ts";
import { momentOf, type StepTimes, type TimeSpan } from "./step-times.ts";
import { thoughtPrefix } from "./thought-facts.ts";

/** A box with its time, before it has a place. */
export interface TimelineItem {
  readonly id: string;
  readonly kind: StepKind | "fold";
  readonly state: State;
  readonly span: TimeSpan;
  readonly label: string;
  /** What stays of the label where there is little room; it may be the same. */
  readonly shortLabel: string;
  readonly details: readonly Detail[];
  /** A later step says otherwise. */
  readonly isRevised: boolean;
}

/** The items of one track, in the order of their steps. */
export interface TrackItems {
  readonly name: string;
  readonly items: readonly TimelineItem[];
}

/** The sub-agents of a session, by id, and what their tracks are called. */
export type SubAgents = ReadonlyMap<string, string>;

/** What those agents are called that others gave their work. */
export function subAgentsOf({ agents = [] }: Session): SubAgents {
  return new Map(
    agents
      .filter(({ parent_agent_id }) => parent_agent_id !== undefined)
      .map(({ agent_id, name }) => [agent_id, oneLine(name ?? agent_id)]),
  );
}

/**
 * What stands in the tracks of a run, by kind of step, then a track for each sub-agent; folded runs that share a band stand
 * in one track.
 */
export function tracksOf(
  lanes: readonly FlowLane[],
  times: StepTimes,
  subAgents: SubAgents,
): readonly TrackItems[] {
  const [lane] = lanes;
  if (lane === undefined) return [];
  if (lane.folded) return [{ name: "runs", items: lanes.map((each) => laneItem(each, times)) }];
  const items: TimelineItem[] = [];
  const ofAgents = new Map<string, TimelineItem[]>();
  for (const box of lane.boxes) {
    const agentId = box.steps.length === 1 ? (box.steps[0]?.agent_id ?? "") : "";
    const own = subAgents.has(agentId) ? (ofAgents.get(agentId) ?? []) : items;
    own.push(boxItem(box, times));
    if (own !== items) ofAgents.set(agentId, own);
  }
  const tracks = stepKinds.map((kind) => ({
    name: trackNames[kind],
    items: items.filter((item) => item.kind === kind),
  }));
  const folds = { name: "folded", items: items.filter((item) => item.kind === "fold") };
  const agents = [...ofAgents].map(([id, own]) => ({ name: subAgents.get(id) ?? id, items: own }));
  return [...tracks, folds, ...agents].filter((track) => track.items.length > 0);
}

const trackNames: Readonly<Record<StepKind, string>> = {
  user: "user",
  context: "context",
  agent: "agents",
  thought: "thoughts",
  model: "model",
  tool: "tools",
  memory: "memory",
  answer: "answer",
  other: "other",
};

function boxItem(box: FlowBox, times: StepTimes): TimelineItem {
  const [step, ...others] = box.steps;
  const span = around(box.steps.map(times.of));
  if (step === undefined || others.length > 0) {
    const label = foldedLabel(box);
    return {
      id: box.id,
      kind: "fold",
      state: "ok",
      span,
      label,
      shortLabel: label,
      details: [],
      isRevised: false,
    };
  }
  const kind = kindOf(step);
  const summary = stepSummary(step, 72);
  const named =
    kind === "user" || kind === "model" || kind === "answer" || step.label === "tool_call";
  const words =
    named || step.label === "tool_output" || kind === "thought"
      ? [summary]
      : [oneLine(labelWord(step)), summary];
  const state = stepState(step);
  const mark = state === "error" ? "✗ " : "";
  const isRevised = box.revisedBy !== undefined;
  const label = mark + thoughtPrefix(step) + words.filter((word) => word !== "").join(": ");
  const isNamedById = kind === "thought" && isChosenId(step.step_id);
  const shortLabel = mark + (isNamedById ? snippet(step.step_id, 24) : stepName(step));
  const details = [
    ...stepDetails(step),
    ...(isRevised ? [["revised by", box.revisedBy] as const] : []),
  ];
  return { id: box.id, kind, state, span, label, shortLabel, details, isRevised };
}

function laneItem(lane: FlowLane, times: StepTimes): TimelineItem {
  const [run] = lane.runs;
  return {
    id: lane.id,
    kind: "fold",
    state: run === undefined || lane.runs.length > 1 ? "ok" : flowState(run),
    span: around(timesIn(lane, times)),
    label: laneLabel(lane).join(" · "),
    shortLabel: foldedRunLabel(lane),
    details: [],
    isRevised: false,
  };
}

function* timesIn({ runs }: FlowLane, times: StepTimes): Generator<TimeSpan | undefined> {
  for (const { steps, started_at: start, ended_at: end } of runs) {
    for (const step of steps) yield times.of(step);
    yield spanOf(start, end);
  }
}

function spanOf(start: string | undefined, end: string | undefined): TimeSpan | undefined {
  const from = momentOf(start);
  return from === undefined
    ? undefined
    : { start: from, end: Math.max(from, momentOf(end) ?? from), open: false };
}

/** The time from the first beginning to the last end. */
function around(spans: Iterable<TimeSpan | undefined>): TimeSpan {
  let [start, end, open] = [Infinity, -Infinity, false];
  for (const span of spans) {
    if (span === undefined) continue;
    start = Math.min(start, span.start);
    end = Math.max(end, span.end);
    open ||= span.open;
  }
  return start > end ? { start: 0, end: 0, open: false } : { start, end, open };
}
