import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type KeepRecordsOptions, keepRecords } from "@thoughtflow/processor/records";
import { createRandom } from "@thoughtflow/testkit";
import { expect, test } from "vitest";
import { anyTranscript } from "../../testing/any-transcript.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { claudeCode } from "./claude-code/claude-code.ts";
import { createImportReport } from "./create-import-report.ts";
import { sourceFile } from "./source-file.ts";

/** The document and the D2 of a transcript, and in how many stretches they were made. */
async function filesOf(path: string, options: KeepRecordsOptions) {
  const report = createImportReport(() => {});
  const dir = directoryWith();
  let stretches = 1;
  await keepRecords(dir, report.masked(claudeCode.read([sourceFile(path, "t.jsonl")], report)), {
    ...options,
    onStretch(_, all) {
      stretches = all;
    },
  });
  const files = readdirSync(dir).filter((file) => /\.(?:json|d2)$/.test(file));
  const texts = files.map((file) => [file, readFileSync(join(dir, file), "utf8")]);
  const made: Readonly<Record<string, string>> = Object.fromEntries(texts);
  return { files: made, stretches };
}

test("a run that is cut into slices has the bytes of the same run in one piece, whatever happens in it", async () => {
  let cut = 0;
  const sessions = 200;
  for (let seed = 1; seed <= sessions; seed++) {
    const path = join(directoryWith(), "t.jsonl");
    const lines = anyTranscript(createRandom(seed)).map((record) => `${JSON.stringify(record)}\n`);
    writeFileSync(path, lines.join(""));
    const outline = { long: 0, stretch: 1 };
    const whole = await filesOf(path, {});
    const byRuns = await filesOf(path, { areSeparable: true, outline });
    const bySlices = await filesOf(path, { areSeparable: true, outline: { ...outline, cut: 4 } });
    const documents = ({ files }: typeof whole) =>
      Object.entries(files).filter(([name]) => name.endsWith(".json"));
    // A run is told with what its slices say in their order.
    const arrowsOf = ({ files }: typeof whole) =>
      Object.entries(files).map(([name, text]) => [name, text.split("\n").toSorted()]);
    expect(documents(bySlices), `seed ${seed}`).toEqual(documents(whole));
    expect(arrowsOf(bySlices), `seed ${seed}`).toEqual(arrowsOf(byRuns));
    if (bySlices.stretches > byRuns.stretches) cut++;
  }
  expect(cut).toBeGreaterThan(sessions / 2);
});
