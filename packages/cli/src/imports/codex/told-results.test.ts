import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { codex } from "./codex.ts";

const NAME = "rollout-2026-11-27T00-47-57-01a21a79-2964-7ba1-a832-45d280465e91.jsonl";
const GOAL = readFileSync(
  fileURLToPath(new URL(`../../../fixtures/codex-killed-scripted/${NAME}`, import.meta.url)),
  "utf8",
);

test("a result that nobody called for is a step with its own name, and loses no tie", async () => {
  const { records, warnings } = await recordsOfText(codex, GOAL);
  const steps = assemble(records).flatMap(({ conversations }) =>
    conversations.flatMap(({ steps }) => steps),
  );
  expect(
    steps.flatMap(({ label, payload_started: told }) => (label === "generic" ? [told] : [])),
  ).toEqual([{ name: "goal_objective", result: "be done", namespace: "agent" }]);
  expect(warnings.join("\n")).not.toContain("tie of a result");
});
