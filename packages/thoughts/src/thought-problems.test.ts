import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { thoughtProblems } from "./thought-problems.ts";

const real = JSON.parse(
  readFileSync(new URL("../fixtures/thoughtbox-session.json", import.meta.url), "utf8"),
) as { readonly thoughts: readonly Record<string, unknown>[] };

test("seventy real thoughts of all seven types have no problem", () => {
  const thoughts = real.thoughts.map((one) => ({ ...one, thought_type: one["thoughtType"] }));
  expect(new Set(thoughts.map((one) => one.thought_type)).size).toBe(7);
  expect(thoughts.flatMap(thoughtProblems)).toEqual([]);
});

const of = (thought_type: string, more: object = {}) => ({ thought: "…", thought_type, ...more });
const option = (label: string, selected: boolean) => ({ label, selected });

test.each([
  [of("reasoning"), []],
  [
    of("decision_frame", { confidence: "high", options: [option("a", true), option("b", true)] }),
    ["options"],
  ],
  [of("decision_frame", { options: [option("a", true)] }), ["confidence"]],
  [
    of("action_report", {
      actionResult: { success: "yes", reversible: "no", tool: "t", target: "x" },
    }),
    ["actionResult.success"],
  ],
  [of("belief_snapshot", { beliefs: { entities: [] } }), ["beliefs.entities"]],
  [
    of("assumption_update", { assumptionChange: { newStatus: "maybe" } }),
    ["assumptionChange.newStatus"],
  ],
  [of("context_snapshot"), ["contextData"]],
  [of("progress", { progressData: { task: "t", status: "finished" } }), ["progressData.status"]],
  [of("hunch", { anything: 1 }), []],
  [of("hunch", { confidence: 2, revisesThought: 0 }), ["confidence", "revisesThought"]],
  [null, [""]],
])("%j has problems at %j", (thought, paths) => {
  expect(thoughtProblems(thought).map(({ path }) => path.join("."))).toEqual(paths);
});
