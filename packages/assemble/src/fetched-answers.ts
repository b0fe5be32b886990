import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_STATUS,
  OPERATION_FETCH_RESPONSE,
} from "@thoughtflow/semconv";
import { mergedPayload } from "./payload.ts";
import { compareMoments, textAttribute } from "./span-node.ts";
import { addAlias, type RunDraft, type StepDraft } from "./step-draft.ts";

/** The steps that remain, and the runs that have none any more. */
interface Completed {
  readonly steps: readonly StepDraft[];
  readonly emptied: ReadonlySet<RunDraft>;
}

/**
 * Gives calls that did not wait for their answers what was fetched later: a response is one step, however often it is
 * asked for. Of several answers the last one counts. A fetch of a response that no call of the session made stays, as the
 * step of that call.
 */
export function completeFetched(recorded: readonly StepDraft[]): Completed {
  const emptied = new Set<RunDraft>();
  if (!recorded.some(isFetch)) return { steps: recorded, emptied };
  const calls = new Map<string, StepDraft>();
  const gone = new Set<StepDraft>();
  const answered = recorded.flatMap((step) => {
    const id = textAttribute(step.span.record, ATTR_GEN_AI_RESPONSE_ID);
    return id === undefined ? [] : [{ step, id }];
  });
  for (const { step, id } of answered.sort((a, b) =>
    compareMoments(a.step.moment, b.step.moment),
  )) {
    const { record } = step.span;
    const call = calls.get(id);
    if (!isFetch(step)) {
      if (call === undefined) calls.set(id, step);
    } else if (textAttribute(record, ATTR_GEN_AI_RESPONSE_STATUS) !== undefined) {
      if (call === undefined) calls.set(id, step);
      else {
        complete(call, step);
        gone.add(step);
      }
    }
  }
  if (gone.size === 0) return { steps: recorded, emptied };
  for (const run of new Set([...gone].map((step) => step.run))) {
    const kept = run.steps.filter((step) => !gone.has(step));
    run.steps.length = 0;
    for (const step of kept) run.steps.push(step);
    if (kept.length === 0) emptied.add(run);
  }
  return { steps: recorded.filter((step) => !gone.has(step)), emptied };
}

function isFetch({ span }: StepDraft): boolean {
  return textAttribute(span.record, ATTR_GEN_AI_OPERATION_NAME) === OPERATION_FETCH_RESPONSE;
}

function complete(call: StepDraft, fetch: StepDraft): void {
  call.answer = fetch.span;
  call.ended = fetch.ended;
  call.status = fetch.status;
  call.error = fetch.error;
  if (fetch.usage !== undefined) {
    call.usage = fetch.usage;
    call.cost = fetch.cost;
  }
  call.payloadCompleted = mergedPayload(call.payloadCompleted, fetch.payloadCompleted);
  addAlias(call, fetch.id);
}
