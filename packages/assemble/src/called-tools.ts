import { toolResponseIn } from "@thoughtflow/semconv";
import type { Atom } from "@thoughtflow/workflow";
import { type EarlierRuns, lookAt, lookAtCall } from "./earlier-runs.ts";
import type { StepDraft } from "./step-draft.ts";
import { isOfRequest, type ToolRequest } from "./tool-messages.ts";
import { repeatsOf } from "./tool-repeats.ts";
import type { TreeNode } from "./tree-node.ts";

/** The call that an output answers. */
interface AnsweredCall {
  readonly tool: StepDraft | undefined;
  /** By the id that the output gives; otherwise by the order of the calls. */
  readonly isNamed: boolean;
}

/** The tool calls that are known so far, for whatever refers to one of them. */
export interface CalledTools {
  remember(callId: string | undefined, step: StepDraft): void;
  /** The call that an output answers; of several tries the last, which is what a model is given. */
  answered(output: Atom, above: TreeNode, run: StepDraft["run"]): AnsweredCall;
  /** A history has shown the call's output. */
  show(tool: StepDraft): void;
  isShown(tool: StepDraft): boolean;
  /** The call that a history repeats: not where ids are reused, which names and arguments tell. */
  repeated(request: ToolRequest, run: StepDraft["run"]): StepDraft | undefined;
}

/** An account of the calls of one session, or of a stretch of it. `recorded` are its steps that spans recorded. */
export function createCalledTools(
  recorded: readonly StepDraft[],
  earlier?: EarlierRuns,
): CalledTools {
  const byCallId = new Map<string, StepDraft[]>();
  const shown = new Set<StepDraft>();
  const repeats = repeatsOf(recorded);

  /** The nearest call before an output in its history, else the latest with that id. */
  function named(output: Atom, above: TreeNode, run: StepDraft["run"]): StepDraft | undefined {
    const [part] = output.parts;
    const id = (part && toolResponseIn(part))?.id;
    const called = id ? (byCallId.get(id) ?? []) : [];
    if (id && called.length === 0) lookForMissing(id, run);
    // The rule, and no search through thousands of parallel calls for it.
    if (called.length === 1) return called[0];
    if (!id) return firstUnanswered(above, run);
    for (let at: TreeNode | undefined = above; at !== undefined; at = at.parent) {
      lookAt(at, run);
      if (at.kind === "tool_call" && at.step !== undefined && at.atom.key === `call ${id}`)
        return at.step;
    }
    return called.at(-1);
  }

  function lookForMissing(callId: string, run: StepDraft["run"]): void {
    if (earlier === undefined || run.isEarlier) return;
    earlier.missesCall(callId);
    earlier.conversations?.lookForCall(callId);
  }

  /** Of the calls made last the first whose output the history has not shown yet: outputs come in the order of calls. */
  function firstUnanswered(above: TreeNode, run: StepDraft["run"]): StepDraft | undefined {
    let first: StepDraft | undefined;
    for (let at: TreeNode | undefined = above; at !== undefined; at = at.parent) {
      lookAt(at, run);
      if (at.kind !== "tool_call" && (at.kind !== "tool_response" || first === undefined)) {
        if (first !== undefined || at.kind === "user") break;
        continue;
      }
      if (at.kind === "tool_call" && at.step !== undefined && !shown.has(at.step)) first = at.step;
    }
    return first;
  }

  return {
    remember(callId, step) {
      if (!callId) return;
      const known = byCallId.get(callId);
      if (known === undefined) byCallId.set(callId, [step]);
      else known.push(step);
    },

    answered(output, above, run) {
      const byName = named(output, above, run);
      lookAtCall(byName, run, earlier);
      let tool = byName ?? firstUnanswered(above, run);
      for (let at = tool; at !== undefined; at = repeats.get(at)) tool = at;
      return { tool, isNamed: byName !== undefined };
    },

    show(tool) {
      shown.add(tool);
    },

    isShown: (tool) => shown.has(tool),

    repeated(request, run) {
      const { callId } = request;
      const known = callId ? byCallId.get(callId) : undefined;
      const found = known?.findLast((step) => isOfRequest(step, request));
      if (callId && found === undefined) lookForMissing(callId, run);
      lookAtCall(found, run, earlier);
      return found;
    },
  };
}
