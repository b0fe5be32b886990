import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createKnownRecords,
  type KeepRecordsOptions,
  keepRecords,
} from "@thoughtflow/processor/records";
import { createRandom } from "@thoughtflow/testkit";
import { expect, test } from "vitest";
import { anyTranscript } from "../../testing/any-transcript.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { claudeCode } from "./claude-code/claude-code.ts";
import { createImportReport } from "./create-import-report.ts";
import { sourceFile } from "./source-file.ts";

interface MadeFiles {
  /** The document and the D2, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** In how many they were made the last time. */
  readonly stretches: number;
}

/** What is made of a transcript that is imported again and again, each time as the next of these lines. */
async function filesOf(tellings: readonly string[][], options: KeepRecordsOptions) {
  const dir = directoryWith();
  const path = join(directoryWith(), "t.jsonl");
  let stretches = 1;
  for (const lines of tellings) {
    writeFileSync(path, lines.join(""));
    const report = createImportReport(() => {});
    const records = report.masked(claudeCode.read([sourceFile(path, "t.jsonl")], report));
    stretches = 1;
    await keepRecords(dir, records, {
      ...options,
      known: createKnownRecords(dir),
      onStretch(_, all) {
        stretches = all;
      },
    });
  }
  const names = readdirSync(dir).filter((file) => /\.(?:json|d2)$/.test(file));
  const texts = names.map((name) => [name, readFileSync(join(dir, name), "utf8")]);
  return { files: Object.fromEntries(texts), stretches };
}

function documentsIn({ files }: MadeFiles) {
  return Object.entries(files).filter(([name]) => name.endsWith(".json"));
}

function linesOf(random: () => number): string[] {
  return anyTranscript(random).map((record) => `${JSON.stringify(record)}\n`);
}

const outline = { long: 0, stretch: 1 };

test("a run that is cut into slices has the bytes of the same run in one piece, whatever happens in it", async () => {
  let cut = 0;
  const sessions = 200;
  for (let seed = 1; seed <= sessions; seed++) {
    const lines = linesOf(createRandom(seed));
    const whole = await filesOf([lines], {});
    const byRuns = await filesOf([lines], { areSeparable: true, outline });
    const bySlices = await filesOf([lines], {
      areSeparable: true,
      outline: { ...outline, cut: 4 },
    });
    // A run is told with what its slices say in their order.
    const arrowsOf = ({ files }: MadeFiles) =>
      Object.entries(files).map(([name, text]) => [name, text.split("\n").toSorted()]);
    expect(documentsIn(bySlices), `seed ${seed}`).toEqual(documentsIn(whole));
    expect(arrowsOf(bySlices), `seed ${seed}`).toEqual(arrowsOf(byRuns));
    if (bySlices.stretches > byRuns.stretches) cut++;
  }
  expect(cut).toBeGreaterThan(sessions / 2);
});

test("one that was imported while it grew has the same bytes in stretches, slices and in one piece", async () => {
  let apart = 0;
  const sessions = 60;
  for (let seed = 1; seed <= sessions; seed++) {
    const random = createRandom(seed);
    const lines = linesOf(random);
    const shares = [random(), random()].toSorted();
    const tellings = [...shares, 1].map((share) => lines.slice(0, Math.ceil(share * lines.length)));
    // Now and then an older copy comes last.
    if (random() < 0.2) tellings.reverse();
    const whole = await filesOf(tellings, {});
    for (const cut of [Number.POSITIVE_INFINITY, 4]) {
      const made = await filesOf(tellings, { areSeparable: true, outline: { ...outline, cut } });
      expect(documentsIn(made), `seed ${seed}, cut ${cut}`).toEqual(documentsIn(whole));
      if (made.stretches > 1) apart++;
    }
  }
  expect(apart).toBeGreaterThan(sessions / 2);
});
