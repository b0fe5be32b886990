import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { filesBelow, sourceFile } from "../source-file.ts";
import { codex } from "./codex.ts";

const DIR = fileURLToPath(new URL("../../../fixtures/codex-killed-scripted/", import.meta.url));

test("a reviewer is an agent of the run that it was begun in, whose events name its thread", async () => {
  const paths = await filesBelow(DIR, (path) => path.includes("01a21a79-8"));
  const { records, warnings } = await recordsOf(
    codex,
    paths.map((path) => sourceFile(path, path.slice(DIR.length))),
  );
  const [session] = assemble(records);
  const steps = session?.conversations.flatMap(({ steps }) => steps) ?? [];
  const reviewer = steps.find(({ label }) => label === "agent");
  expect(session?.conversations.map(({ status }) => status)).toEqual(["completed"]);
  expect(reviewer).toMatchObject({ payload_started: { name: "review" }, status: "ok" });
  expect(steps.filter(({ label }) => label === "assistant_call")).toMatchObject([
    { agent_id: "01a21a79-8511-72c3-bf2b-4a08fa63ca00", parent_step_id: reviewer?.step_id },
  ]);
  expect(warnings.join("\n")).not.toContain("No tool call asked");
});
