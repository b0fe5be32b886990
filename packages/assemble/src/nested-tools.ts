import { isOwnSpan } from "@thoughtflow/dialects/spans";
import { ATTR_GEN_AI_TOOL_CALL_ID } from "@thoughtflow/semconv";
import { membersOf } from "./payload.ts";
import { textAttribute } from "./span-node.ts";
import type { StepDraft } from "./step-draft.ts";

/** One report of an execution of a tool. */
interface Execution {
  /** The outermost report of it. */
  readonly tool: StepDraft;
  /** The layers that report it, from the outermost to this one. */
  readonly scopes: readonly string[];
}

/**
 * Of an execution of a tool that several instrumentations report, one inside the other, the outermost one is the tool's: the inner ones are
 * nodes in it, and give it the id of the call that they may know. Calls with different ids are different calls.
 */
export function tellToolsOnce(recorded: readonly StepDraft[]): void {
  const executions = new Map<StepDraft, Execution>();
  const isTool = (step: StepDraft) => step.label === "tool_call" || executions.has(step);
  for (const step of recorded) {
    if (step.parent === undefined || !isTool(step) || !isTool(step.parent)) continue;
    const unread: StepDraft[] = [];
    for (
      let at: StepDraft | undefined = step;
      at !== undefined && isTool(at) && !executions.has(at);
      at = at.parent
    )
      unread.push(at);
    // From the outermost inwards, whatever the order of the steps is.
    for (const inner of unread.reverse()) executions.set(inner, executionOf(inner));
  }

  function executionOf(inner: StepDraft): Execution {
    const { scope } = inner.span.record;
    const around = inner.parent && executions.get(inner.parent);
    if (around === undefined || !isTold(inner, around))
      return { tool: inner, scopes: [scope.name] };
    const { tool, scopes } = around;
    inner.label = "node";
    tool.callId ??= inner.callId;
    inner.callId = undefined;
    return { tool, scopes: [...scopes, scope.name] };
  }
}

/**
 * A tool failed whose execution did: the step in it that names the same call. Claude Code writes the failure there, and leaves
 * open how the tool itself ended.
 */
export function failWithExecution(recorded: readonly StepDraft[]): void {
  for (const { label, status, parent, span, error } of recorded) {
    if (status !== "error" || label !== "node" || parent?.label !== "tool_call") continue;
    const isOpen = parent.status === "ok" && parent.span.record.status.code === "unset";
    const id = textAttribute(span.record, ATTR_GEN_AI_TOOL_CALL_ID);
    if (!isOpen || id === undefined || id !== parent.callId) continue;
    parent.status = status;
    parent.error = error;
  }
}

/** Whether a step is another layer's report of the execution around it. Ours are the app's own. */
function isTold(inner: StepDraft, { tool, scopes }: Execution): boolean {
  const { record } = inner.span;
  return (
    !scopes.includes(record.scope.name) &&
    !isOwnSpan(record) &&
    !isOwnSpan(tool.span.record) &&
    (inner.callId ?? tool.callId) === (tool.callId ?? inner.callId) &&
    nameOf(inner) === nameOf(tool)
  );
}

function nameOf({ payloadStarted }: StepDraft): unknown {
  return membersOf(payloadStarted)?.["name"];
}
