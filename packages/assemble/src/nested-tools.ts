import { isOwnSpan } from "@thoughtflow/dialects/spans";
import { membersOf } from "./payload.ts";
import type { StepDraft } from "./step-draft.ts";

/**
 * Of an execution of a tool that two instrumentations report, one inside the other, the outer one is the tool's: the inner one is a node in
 * it, and gives it the id of the call that it may know.
 */
export function tellToolsOnce(recorded: readonly StepDraft[]): void {
  for (const inner of recorded) {
    const { parent: outer } = inner;
    if (outer === undefined || inner.label !== "tool_call" || outer.label !== "tool_call") continue;
    if (!isOfOtherLayer(inner, outer) || nameOf(inner) !== nameOf(outer)) continue;
    inner.label = "node";
    outer.callId ??= inner.callId;
    inner.callId = undefined;
  }
}

/** Ours are the app's own. */
function isOfOtherLayer(inner: StepDraft, outer: StepDraft): boolean {
  const [record, around] = [inner.span.record, outer.span.record];
  return record.scope.name !== around.scope.name && !isOwnSpan(record) && !isOwnSpan(around);
}

function nameOf({ payloadStarted }: StepDraft): unknown {
  return membersOf(payloadStarted)?.["name"];
}
