import type { Run, Session, Step } from "@thoughtflow/schema";
import type { FlowBox, FlowLane } from "./flow-lanes.ts";
import type { RenderOptions } from "./renderer.ts";
import { agentStretches } from "./run-stretches.ts";
import { stepWords } from "./step-words.ts";

/** A run and those of its steps that are to be drawn. */
export interface RunGroup {
  readonly run: Run;
  readonly number: number;
  /** True for the run that was asked for. */
  readonly focused: boolean;
  readonly steps: readonly Step[];
}

/** No drawing has more boxes than this, those of runs included. */
export const MOST_BOXES = 200;
/** Room for other runs beside the one that was asked for. */
const roomForOthers = 50;

/**
 * One lane a run, as long as that gives a drawing that can be read. A larger session shows each run as one box;
 * where runs are still too many, one box stands for those in the middle. A session of a single run, or the run
 * that was asked for, keeps its first and last steps and folds those between.
 */
export function foldRuns(groups: readonly RunGroup[]): readonly FlowLane[] {
  const steps = groups.reduce((sum, group) => sum + group.steps.length, 0);
  const [only] = groups;
  const kept = groups.length === 1 ? only : groups.find((group) => group.focused);
  const fits = steps + groups.length <= MOST_BOXES;
  const closed = fits ? [] : groups.filter((group) => group !== kept);
  const merged = middleOf(closed, kept === undefined ? MOST_BOXES : roomForOthers);
  const hidden = new Set(merged.slice(1));
  const room = MOST_BOXES - 1 - (closed.length - hidden.size);

  return groups
    .filter((group) => !hidden.has(group))
    .map((group) => {
      const { run, number } = group;
      const id = `r${number}`;
      if (fits || group === kept) {
        const boxes = boxesOf(id, group.steps, fits ? MOST_BOXES : room);
        return { id, number, runs: [run], count: 1, folded: false, boxes };
      }
      const runs = group === merged[0] ? merged.map((each) => each.run) : [run];
      return { id, number, runs, count: runs.length, folded: true, boxes: [] };
    });
}

/** One box a run in any case, or its stretches, and its sub-agents, where it has some; of too many runs one box for those in the middle. */
export function foldAllRuns(
  { conversations: runs, agents = [] }: Session,
  { stretches, standsFor }: Pick<RenderOptions, "stretches" | "standsFor"> = {},
): readonly FlowLane[] {
  // Which agent works in which of several runs is not told.
  const ofAgents = stretches?.size && runs.length === 1 ? agentStretches(agents) : [];
  return lanesOfAll(runs, standsFor).map((lane): FlowLane => {
    const [run] = lane.runs;
    const own = lane.count > 1 ? undefined : stretches?.get(run?.conversation_id ?? "");
    if (own === undefined) return lane;
    const boxes = [...own, ...ofAgents].map((stretch, at) => ({
      id: `${lane.id}s${at + 1}`,
      steps: [],
      stretch,
    }));
    return { ...lane, folded: false, boxes };
  });
}

function lanesOfAll(
  runs: readonly Run[],
  standsFor: ReadonlyMap<string, number> = new Map(),
): readonly FlowLane[] {
  const merged = middleOf(runs, MOST_BOXES);
  const from = merged.length === 0 ? runs.length : headOf(MOST_BOXES);
  const groups = runs.slice(0, from).map((run) => [run]);
  if (merged.length > 0) groups.push([...merged]);
  for (const run of runs.slice(from + merged.length)) groups.push([run]);
  let number = 1;
  return groups.map((group): FlowLane => {
    const counts = group.map(({ conversation_id: id }) => standsFor.get(id) ?? 1);
    const count = counts.reduce((sum, each) => sum + each, 0);
    const lane = { id: `r${number}`, number, runs: group, count, folded: true, boxes: [] };
    number += count;
    return lane;
  });
}

function boxesOf(lane: string, steps: readonly Step[], room: number): readonly FlowBox[] {
  const folded = middleOf(steps, room);
  const from = folded[0] === undefined ? steps.length : steps.indexOf(folded[0]);
  const boxes: FlowBox[] = [];
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at];
    if (step === undefined) continue;
    const id = `${lane}s${at + 1}`;
    if (at === from) {
      boxes.push({ id, steps: folded });
      at += folded.length - 1;
    } else {
      boxes.push({ id, steps: [step], step, words: stepWords(step) });
    }
  }
  return boxes;
}

/** What has to go when `items` must take no more than `room` places, the place of the fold included. */
function middleOf<T>(items: readonly T[], room: number): readonly T[] {
  if (items.length <= room) return [];
  const head = headOf(room);
  return items.slice(head, items.length - (room - 1 - head));
}

/** How many stand before a fold. */
function headOf(room: number): number {
  return Math.ceil((room - 1) / 2);
}
