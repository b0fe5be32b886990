import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { atif } from "./atif.ts";

const trajectory = (id: string, answer: string) => ({
  schema_version: "ATIF-v1.7",
  session_id: id,
  agent: { name: "Main", version: "1", model_name: "m" },
  steps: [
    { step_id: 1, source: "user", message: "Count the files." },
    { step_id: 2, source: "agent", message: answer },
  ],
});

test("a file with a trajectory a line is a session for each; a line that is none is told", async () => {
  const lines = [trajectory("a", "Nine."), { note: "of the data set" }, trajectory("b", "Ten.")];
  const text = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"schema_version":"ATIF`;
  const { records, warnings } = await recordsOf(atif, [sourceText(text, "all.jsonl")]);
  const sessions = assemble(records);
  expect(sessions.map(({ session_id: id, totals }) => [id, totals?.model_calls])).toEqual([
    ["a", 1],
    ["b", 1],
  ]);
  expect(warnings).toContain("Left out: 2 × line that is not a trajectory in ATIF.");
});
