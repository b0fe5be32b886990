import type { Step } from "@thoughtflow/schema";
import { edgesOf } from "./step-edges.ts";
import { momentOf } from "./step-times.ts";

/**
 * The steps of a run; but what stands right before a model call that was given it, and came at one moment, stands in the order in which it
 * was given. In a document a prompt that was recorded stands before the summary, or the copied history, of which only the call tells.
 * Reads no payload.
 */
export function inGivenOrder(steps: readonly Step[]): readonly Step[] {
  let ordered: Step[] | undefined;
  for (const [at, call] of steps.entries()) {
    if (call.label !== "assistant_call") continue;
    for (const group of givenBefore(steps, at, call)) {
      const sorted = group.toSorted((one, other) => one.turn - other.turn);
      for (const [n, { place }] of group.entries()) {
        const { step } = sorted[n] ?? {};
        if (step === undefined || step === steps[place]) continue;
        ordered ??= [...steps];
        ordered[place] = step;
      }
    }
  }
  return ordered ?? steps;
}

/** What a call was given. */
interface Given {
  readonly step: Step;
  /** Where it stands in the run. */
  readonly place: number;
  /** When it was given. */
  readonly turn: number;
}

/** What stands before a call that was given it, apart by moments; a snapshot that it rests on may stand between. */
function givenBefore(
  steps: readonly Step[],
  end: number,
  call: Step,
): readonly (readonly Given[])[] {
  const edges = edgesOf(call);
  if (edges.length < 2) return [];
  const turns = new Map(
    edges.map(({ to, type }, turn) => [to, GIVEN.has(type) ? turn : undefined]),
  );
  const isToldOnlyByCall = ({ step_id: id }: Step): boolean => id.startsWith(`${call.step_id}.`);
  let start = end;
  for (let step = steps[start - 1]; step !== undefined; step = steps[start - 1]) {
    if (step.label === call.label) break;
    if (!turns.has(step.step_id) && !isToldOnlyByCall(step)) break;
    start -= 1;
  }
  const groups: Given[][] = [];
  let last: number | undefined;
  /** A tool that was called long ago stands before what it gave, which alone was given. */
  let turnBefore = -1;
  for (const [n, step] of steps.slice(start, end).entries()) {
    const isTold = isToldOnlyByCall(step);
    const turn = turns.get(step.step_id) ?? (isTold ? turnBefore : undefined);
    if (turn === undefined) continue;
    if (isTold) turnBefore = turn;
    const moment = momentOf(step.started_at ?? call.started_at);
    const given = { step, place: start + n, turn };
    if (moment === last && groups.length > 0) groups.at(-1)?.push(given);
    else groups.push([given]);
    last = moment;
  }
  return groups;
}

/** The edges of a call to what it was given, in that order. */
const GIVEN: ReadonlySet<string> = new Set(["responds_to", "reads"]);
