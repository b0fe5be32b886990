import type { Agent, Session } from "@thoughtflow/schema";
import { isAfterCompaction } from "@thoughtflow/schema/steps";
import { agentFamilies } from "./agent-families.ts";
import { foldedLabel, foldedRunLabel, laneLabel } from "./flow-labels.ts";
import type { FlowBox, FlowLane, FoldBox } from "./flow-lanes.ts";
import { shortStretchLabel } from "./run-stretches.ts";
import { kindOf, type StepKind, stepKinds } from "./step-kind.ts";
import { flowState, type State, stepState } from "./step-state.ts";
import { momentOf, type StepTimes, type TimeSpan } from "./step-times.ts";

/** A box with its time, before it has a place. */
export interface TimelineItem {
  readonly id: string;
  readonly kind: StepKind | "fold" | "stretch";
  readonly state: State;
  readonly span: TimeSpan;
  readonly label: string;
  /** What stays of the label where there is little room; it may be the same. */
  readonly shortLabel: string;
  /** A line a fact; empty for a fold. */
  readonly tooltip: string;
  /** A later step says otherwise. */
  readonly isRevised: boolean;
  /** The conversation was compacted right before it. */
  readonly isAfterCompaction: boolean;
}

/** The items of one track, in the order of their steps. */
export interface TrackItems {
  readonly name: string;
  readonly items: readonly TimelineItem[];
}

/** The sub-agents of a session, by id, in the order of their tracks, and what these are called. */
export type SubAgents = ReadonlyMap<string, string>;

/** Those agents that others gave their work, each below the one that did, and told apart from others of its name. */
export function subAgentsOf(session: Session): SubAgents {
  const given = (session.agents ?? []).filter(
    ({ parent_agent_id: parent }) => parent !== undefined,
  );
  if (given.length === 0) return new Map();
  const { children, labelOf } = agentFamilies(session);
  const ordered = new Set<Agent>();
  const waiting = (children.get("") ?? []).toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    ordered.add(next);
    for (const child of (children.get(next.agent_id) ?? []).toReversed()) waiting.push(child);
  }
  // Those that are their own ancestors are below none.
  for (const agent of given) ordered.add(agent);
  return new Map(
    [...ordered]
      .filter(({ parent_agent_id: parent }) => parent !== undefined)
      .map((agent) => [agent.agent_id, labelOf(agent)]),
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
  const ofKinds = new Map<string, TimelineItem[]>();
  const ofAgents = new Map<string, TimelineItem[]>();
  /** By what the agents are called. */
  const ofStretches = new Map<string, TimelineItem[]>();
  for (const box of lane.boxes) {
    const item = boxItem(box, times);
    const agentId = box.step?.agent_id ?? "";
    const own = box.step === undefined ? box.stretch?.agent : undefined;
    if (own !== undefined) addTo(ofStretches, own, item);
    else if (subAgents.has(agentId)) addTo(ofAgents, agentId, item);
    else addTo(ofKinds, item.kind, item);
  }
  const tracks: TrackItems[] = [];
  for (const [kind, name] of trackNames) {
    const items = ofKinds.get(kind);
    if (items !== undefined) tracks.push({ name, items });
  }
  for (const [id, name] of subAgents) {
    const items = ofAgents.get(id);
    if (items !== undefined) tracks.push({ name, items });
  }
  for (const [name, items] of ofStretches) tracks.push({ name, items });
  return tracks;
}

function addTo(lists: Map<string, TimelineItem[]>, key: string, item: TimelineItem): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

const namesOfKinds: Readonly<Record<StepKind, string>> = {
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
/** In the order in which they stand. */
const trackNames: ReadonlyMap<TimelineItem["kind"], string> = new Map([
  ...stepKinds.map((kind) => [kind, namesOfKinds[kind]] as const),
  ["fold", "folded"],
  ["stretch", "stretches"],
]);

function boxItem(box: FlowBox, times: StepTimes): TimelineItem {
  const { id, step } = box;
  if (step === undefined) return foldItem(box, times);
  const { label, shortLabel, tooltip } = box.words;
  const isRevised = box.revisedBy !== undefined;
  return {
    id,
    kind: kindOf(step),
    state: stepState(step),
    span: times.of(step) ?? nowhere,
    label,
    shortLabel,
    tooltip: isRevised ? `${tooltip}\nrevised by: ${box.revisedBy}` : tooltip,
    isRevised,
    isAfterCompaction: isAfterCompaction(box.step),
  };
}

function foldItem(box: FoldBox, times: StepTimes): TimelineItem {
  const label = foldedLabel(box);
  const { stretch } = box;
  const spans =
    stretch === undefined ? box.steps.map(times.of) : [spanOf(stretch.startedAt, stretch.endedAt)];
  return {
    id: box.id,
    kind: stretch === undefined ? "fold" : "stretch",
    state: "ok",
    span: around(spans),
    label,
    shortLabel: stretch === undefined ? label : shortStretchLabel(stretch),
    tooltip: stretch === undefined ? "" : label,
    isRevised: false,
    isAfterCompaction: false,
  };
}

function laneItem(lane: FlowLane, times: StepTimes): TimelineItem {
  const [run] = lane.runs;
  return {
    id: lane.id,
    kind: "fold",
    state: run === undefined || lane.count > 1 ? "ok" : flowState(run),
    span: around(timesIn(lane, times)),
    label: laneLabel(lane).join(" · "),
    shortLabel: foldedRunLabel(lane),
    tooltip: "",
    isRevised: false,
    isAfterCompaction: false,
  };
}

function* timesIn({ runs }: FlowLane, times: StepTimes): Generator<TimeSpan | undefined> {
  // Of a very long session one run stands for all in the middle.
  for (const { steps, started_at: start, ended_at: end } of new Set(runs)) {
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
  return start > end ? nowhere : { start, end, open };
}

const nowhere: TimeSpan = { start: 0, end: 0, open: false };
