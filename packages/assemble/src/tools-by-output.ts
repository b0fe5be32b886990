import { briefKey } from "./brief-key.ts";
import { membersOf } from "./payload.ts";
import { compareMoments } from "./span-node.ts";
import type { StepDraft } from "./step-draft.ts";

/** The tools of a session by what they gave: some instrumentations tell outputs in a history without the calls, and without ids. */
export interface ToolsByOutput {
  /** The first tool of the run that ran before the call, gave this or failed with it, and that nobody took yet. */
  take(response: unknown, call: StepDraft): StepDraft | undefined;
}

/**
 * @param outputs what the tools' own spans tell that they gave
 * @param isShown whether a history has shown a tool's output already
 */
export function createToolsByOutput(
  outputs: ReadonlyMap<StepDraft, StepDraft>,
  isShown: (tool: StepDraft) => boolean,
): ToolsByOutput {
  /** Made when the first output has no call. */
  let byOutput: ReadonlyMap<string, readonly StepDraft[]> | undefined;
  const failed: StepDraft[] = [];

  function indexed(): ReadonlyMap<string, readonly StepDraft[]> {
    const found = new Map<string, StepDraft[]>();
    for (const [tool, output] of outputs) {
      if (tool.origin !== "recorded") continue;
      if (output.label === "tool_error") failed.push(tool);
      const key = keyOf(membersOf(output.payloadCompleted)?.["result"]);
      const known = found.get(key);
      if (known === undefined) found.set(key, [tool]);
      else known.push(tool);
    }
    return found;
  }

  return {
    take(response, call) {
      byOutput ??= indexed();
      const isFree = (tool: StepDraft) =>
        !isShown(tool) && tool.run === call.run && compareMoments(tool.moment, call.moment) < 0;
      return (
        byOutput.get(keyOf(response))?.find(isFree) ??
        failed.find((tool) => isFree(tool) && tells(response, tool))
      );
    },
  };
}

function keyOf(value: unknown): string {
  return briefKey(JSON.stringify(value) ?? "");
}

/** Whether a model is told why a tool failed. */
function tells(response: unknown, { error }: StepDraft): boolean {
  const reason = error?.message;
  return reason !== undefined && reason !== "" && (JSON.stringify(response) ?? "").includes(reason);
}
