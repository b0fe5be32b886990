/**
 * What instrumentations keep in memory: by span that waits to be exported, over 100,000 calls, and in a stream of 100,000
 * chunks. Each variant has a process of its own, with garbage collected before every look at the heap. Needs built
 * packages (`npm run build`) and the peers (`npm run bench:peers`).
 *
 *     node benchmarks/openai/memory.mjs [--write] [--variants <regexp>]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { machine, report, table } from "../report.mjs";
import { longStream, scenarios } from "./scenarios.mjs";
import { startVariant } from "./variant-process.mjs";
import { variants } from "./variants.mjs";

const { values: flags } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    variants: { type: "string", default: "" },
  },
});

/** So many calls wait in the queue when the heap is looked at. */
const QUEUED = 200;
/** Growth is looked for between so many calls and so many. */
const CALLS = [2_000, 100_000];

const waiting = ["chat, 4 KiB", "chat, 100 messages (37 KB)", "100 messages, all new objects"].map(
  (name) => scenarios.findIndex((scenario) => scenario.name === name),
);
const megabyte = scenarios.findIndex(({ name }) => name.startsWith("chat, 1 MB"));
const short = scenarios.findIndex(({ name }) => name === "chat, 4 KiB");

const wanted = new RegExp(flags.variants);
/** Calls whose records go to the journal wait in no queue. */
const chosen = variants.filter(
  ({ name, module }) => wanted.test(name) && module !== "thoughtflow-files",
);
const dir = mkdtempSync(join(tmpdir(), "memory-"));
const mib = (bytes) => (bytes / 2 ** 20).toFixed(1);
const kib = (bytes) => (bytes / 1024).toFixed(Math.abs(bytes) < 10_240 ? 1 : 0);

/** What one process says to one question: each look starts from a process that has held nothing yet. */
async function asked(variant, ...task) {
  const one = await startVariant(variant, dir, ["--expose-gc"]);
  const answer = await one.ask(...task);
  await one.end();
  return answer;
}

/** A call has two spans here, of 10 KiB at most while the app keeps its messages; a stream's chunks are not to be kept. */
const GOAL = ["**goal**", "≤ 20", "≤ 20", "–", "≤ 20", "≤ 64", "0", "bounded"];

const rows = [GOAL];
for (const variant of chosen) {
  const held = [];
  for (const at of [...waiting, megabyte]) held.push(await asked(variant, "held", at, QUEUED));
  const inAll = await asked(variant, "heldInAll", undefined, QUEUED);
  const growth = await asked(variant, "growth", short, CALLS);
  const peak = await asked(variant, "peak");
  rows.push([variant.name, ...held.map(kib), mib(inAll), growth.toFixed(0), mib(peak)]);
}
rmSync(dir, { recursive: true });

report("memory", [
  `${machine()}; ${QUEUED} calls waiting, ${CALLS.map((calls) => calls.toLocaleString("en")).join(" and ")} calls, ${longStream.chunks.toLocaleString("en")} chunks:`,
  "",
  ...table(
    [
      "",
      ...[...waiting, megabyte].map((at) => `KiB a waiting call: ${scenarios[at].name}`),
      `MiB held by ${QUEUED} calls of 1 MB, all new objects`,
      "growth, bytes a call",
      "most in use during the stream, MiB",
    ],
    rows,
  ),
]);
