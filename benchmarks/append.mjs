/**
 * How fast sessions get safe: appended to the journal, which writes what comes within 100 ms at once, beside a file of its own
 * for each, synced to the disk. Both take turns; the middle round counts.
 *
 *     node benchmarks/append.mjs [rounds] [--write]
 *
 * Exits with 1 when the journal takes less than ten times as many. `--write` puts the table into README.md.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal, writeDocument } from "@thoughtflow/journal";
import { machine, report, table } from "./report.mjs";
import { median } from "./statistics.mjs";

const rounds = Number(process.argv[2]) || 11;
const APPENDED = 20_000;
const WRITTEN = 300;
const LEAST_RATIO = 10;

/** About 5 KiB, each another one. */
function recordOf(number) {
  const text = `${number} ${"what the tool found out, at some length; ".repeat(115)}`;
  return {
    type: "span_end",
    traceId: String(number).padStart(32, "0"),
    spanId: String(number).padStart(16, "0"),
    name: "execute_tool look",
    kind: "internal",
    startTimeUnixNano: "1",
    endTimeUnixNano: "2",
    status: { code: "unset" },
    attributes: { "session.id": `session ${number}` },
    content: { "gen_ai.tool.call.result": JSON.stringify(text) },
    events: [],
    links: [],
    scope: { name: "benchmark" },
    resource: {},
  };
}

async function perSecond(count, work) {
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-append-"));
  const before = performance.now();
  await work(dir);
  const seconds = (performance.now() - before) / 1000;
  rmSync(dir, { recursive: true });
  return count / seconds;
}

const appended = (dir) => {
  const journal = openJournal({ dir });
  for (let n = 0; n < APPENDED; n++) journal.append(recordOf(n));
  return journal.flush().then(() => journal.closeSync());
};

const written = async (dir) => {
  for (let n = 0; n < WRITTEN; n++)
    await writeDocument(dir, `${n}.json`, [JSON.stringify(recordOf(n))], { fsync: true });
};

const rates = { appended: [], written: [] };
for (let round = 0; round < rounds; round++) {
  rates.appended.push(await perSecond(APPENDED, appended));
  rates.written.push(await perSecond(WRITTEN, written));
}
const [fast, slow] = [median(rates.appended), median(rates.written)];
const ratio = fast / slow;
report("append", [
  ...table(
    ["records of 5 KiB", "a second"],
    [
      ["appended to the journal, written in groups", Math.round(fast).toLocaleString("en")],
      ["each a file of its own, synced", Math.round(slow).toLocaleString("en")],
      ["ratio", ratio.toFixed(1)],
    ],
  ),
  "",
  `${rounds} rounds. ${machine()}.`,
]);
process.exitCode = ratio < LEAST_RATIO ? 1 : 0;
