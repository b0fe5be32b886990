import { briefKey } from "./brief-key.ts";
import { membersOf } from "./payload.ts";
import { compareMoments } from "./span-node.ts";
import type { StepDraft } from "./step-draft.ts";

/** The tools of a session by what they gave: some instrumentations tell outputs in a history without the calls, and without ids. */
export interface ToolsByOutput {
  /** The first tool of the run that ran before the call, gave this or failed with it, and that nobody took yet. */
  take(response: unknown, call: StepDraft): StepDraft | undefined;
}

/** So many failed tools of a run are compared with an output that no tool gave: the latest before the call. */
const MOST_FAILED = 100;

/** The tools of a run, each list from the last to the first: from its end is let go what is done with. */
interface ToolsOfRun {
  readonly byOutput: Map<string, StepDraft[]>;
  readonly failed: StepDraft[];
  /** Those that failed before the calls looked at so far. */
  readonly failedBefore: StepDraft[];
}

/**
 * @param outputs what the tools' own spans tell that they gave
 * @param isShown whether a history has shown a tool's output already; what was shown stays so
 */
export function createToolsByOutput(
  outputs: ReadonlyMap<StepDraft, StepDraft>,
  isShown: (tool: StepDraft) => boolean,
): ToolsByOutput {
  /** Made when the first output has no call. */
  let runs: ReadonlyMap<StepDraft["run"], ToolsOfRun> | undefined;

  function indexed(): ReadonlyMap<StepDraft["run"], ToolsOfRun> {
    const found = new Map<StepDraft["run"], ToolsOfRun>();
    const recorded = [...outputs].filter(([tool]) => tool.origin === "recorded");
    for (const [tool, output] of recorded.sort(([a], [b]) => compareMoments(b.moment, a.moment))) {
      const ofRun = found.get(tool.run) ?? toolsOfRun();
      found.set(tool.run, ofRun);
      if (output.label === "tool_error") ofRun.failed.push(tool);
      const result = membersOf(output.payloadCompleted)?.["result"];
      if (result === undefined) continue;
      const key = keyOf(result);
      const known = ofRun.byOutput.get(key);
      if (known === undefined) ofRun.byOutput.set(key, [tool]);
      else known.push(tool);
    }
    return found;
  }

  function firstOf(tools: StepDraft[]): StepDraft | undefined {
    for (let first = tools.at(-1); first !== undefined; first = tools.at(-1)) {
      if (!isShown(first)) return first;
      tools.pop();
    }
    return undefined;
  }

  return {
    take(response, call) {
      if (response === undefined) return undefined;
      runs ??= indexed();
      const ofRun = runs.get(call.run);
      if (ofRun === undefined) return undefined;
      const { byOutput, failed, failedBefore } = ofRun;
      const isBefore = (tool: StepDraft) => compareMoments(tool.moment, call.moment) < 0;
      const same = firstOf(byOutput.get(keyOf(response)) ?? []);
      if (same !== undefined && isBefore(same)) return same;
      for (let next = failed.at(-1); next !== undefined && isBefore(next); next = failed.at(-1)) {
        failedBefore.push(next);
        failed.pop();
        if (failedBefore.length > MOST_FAILED) failedBefore.shift();
      }
      const text = failedBefore.length === 0 ? "" : textsIn(response);
      return failedBefore.find((tool) => isBefore(tool) && tells(text, tool) && !isShown(tool));
    },
  };
}

function toolsOfRun(): ToolsOfRun {
  return { byOutput: new Map(), failed: [], failedBefore: [] };
}

function keyOf(value: unknown): string {
  return briefKey(JSON.stringify(value) ?? "");
}

/** All texts in a value, one a line. */
function textsIn(value: unknown): string {
  const texts: string[] = [];
  JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === "string") texts.push(member);
    return member;
  });
  return texts.join("\n");
}

/** What is shorter may stand in any text. */
const LEAST_REASON = 12;

/** Whether a model is told why a tool failed. */
function tells(response: string, { error }: StepDraft): boolean {
  const reason = error?.message;
  if (reason === undefined || reason.length < LEAST_REASON) return false;
  for (let at = response.indexOf(reason); at !== -1; at = response.indexOf(reason, at + 1))
    if (!isInWord(response, at) && !isInWord(response, at + reason.length)) return true;
  return false;
}

const IN_WORD = /[\p{L}\p{M}\p{N}_]{2}/u;

/** Whether a word goes on there: "there is no file 1" says nothing of file 14. */
function isInWord(text: string, at: number): boolean {
  return IN_WORD.test(text.slice(Math.max(0, at - 1), at + 1));
}
