import { dependenciesOf } from "./dependencies-of.ts";
import type { Run, Session, Step } from "./document.ts";
import { createStepIndex, type PlacedStep, type StepIndex } from "./step-index.ts";

const ANSWER_LABELS: ReadonlySet<string> = new Set(["thought", "tool_call", "assistant_message"]);

/**
 * Everything that a model call was given, in order: what its `payload_started.input` names. There an earlier
 * model call stands for that call's own input followed by its answer (the thoughts, tool calls and messages that
 * rest on it), so that a growing history is written once. Ids that the session doesn't have are left out; a call
 * that is named twice is spelled out once. Instructions that stand in it are left out where the call does not rest on them, and the provider
 * keeps no history for it: they were taken out since. Where the call says `input_last`, it was sent no more than so many pieces at the end:
 * words, tool calls, results; and before them what `input` names before an earlier call.
 */
export function inputOf(
  session: Session,
  run: Run,
  call: Step,
  index: StepIndex = createStepIndex(session),
): readonly PlacedStep[] {
  const answers = answersByCall(session, index);
  const result: PlacedStep[] = [];
  const seen = new Set<Step>([call]);
  // What is still to be written, the next one last: histories are longer than the call stack.
  const named = namedBy({ run, step: call }, index);
  const pending: PlacedStep[] = named.toReversed();
  const isSent = instructionsOf(call);
  const isGiven = ({ step }: PlacedStep) => step.label !== "policy.snapshot" || isSent(step);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isCall(next)) {
      if (isGiven(next)) result.push(next);
    } else if (!seen.has(next.step)) {
      seen.add(next.step);
      const spelledOut = [...namedBy(next, index), ...(answers.get(next.step) ?? [])];
      for (const item of spelledOut.reverse()) pending.push(item);
    }
  }
  const last = call.payload_started?.["input_last"];
  if (typeof last !== "number") return result;
  const head = named.slice(0, Math.max(0, named.findIndex(isCall))).filter(isGiven).length;
  return [...result.slice(0, head), ...latestOf(result.slice(head), last)];
}

function isCall({ step }: PlacedStep): boolean {
  return step.label === "assistant_call";
}

/** So many pieces at the end, with the instructions and thoughts among them. */
function latestOf(input: readonly PlacedStep[], pieces: number): readonly PlacedStep[] {
  let left = pieces;
  const first = input.findLastIndex(({ step }) => !BESIDE.has(step.label) && --left <= 0);
  return first < 0 ? input : input.slice(first);
}

/** What stands in an input and is no piece of the conversation. */
const BESIDE: ReadonlySet<string> = new Set(["policy.snapshot", "thought"]);

/** Whether instructions in the history of a call are sent with it. */
function instructionsOf(call: Step): (instructions: Step) => boolean {
  const isKept = call.edges?.some(
    ({ type, origin }) => type === "continues" && origin === "observed",
  );
  const used = new Set(dependenciesOf(call));
  return ({ step_id: id }) => isKept === true || used.has(id);
}

function namedBy({ run, step }: PlacedStep, index: StepIndex): PlacedStep[] {
  const input = step.payload_started?.["input"];
  if (!Array.isArray(input)) return [];
  return input.flatMap((id) => (typeof id === "string" ? (index(id, run) ?? []) : []));
}

/** What each model call gave, in the order of its run. */
function answersByCall(session: Session, index: StepIndex): ReadonlyMap<Step, PlacedStep[]> {
  const answers = new Map<Step, PlacedStep[]>();
  for (const run of session.conversations) {
    for (const step of run.steps.filter(({ label }) => ANSWER_LABELS.has(label))) {
      for (const id of dependenciesOf(step)) {
        const call = index(id, run);
        if (call?.run !== run || call.step.label !== "assistant_call") continue;
        const given = answers.get(call.step);
        if (given === undefined) answers.set(call.step, [{ run, step }]);
        else given.push({ run, step });
      }
    }
  }
  return answers;
}
