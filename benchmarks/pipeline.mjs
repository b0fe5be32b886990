/**
 * What a span costs on its way through the processor into the journal, and what making the document and its pictures
 * costs, in CPU time of the JavaScript thread. Needs built packages (`npm run build`).
 *
 *     node benchmarks/pipeline.mjs [rounds] [--write]
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { assemble } from "@thoughtflow/assemble";
import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
import { d2, svg } from "@thoughtflow/render";
import { canonicalJson } from "@thoughtflow/schema/canonical";
import { BATCH, kinds, produce } from "./pipeline/spans.mjs";
import { recordsOfToolLoops, STEPS_PER_RUN } from "./pipeline/tool-loops.mjs";
import { machine, report, table } from "./report.mjs";
import { tenthPercentile } from "./statistics.mjs";
import { threadCpu } from "./thread-cpu.mjs";

const rounds = Number(process.argv[2]) || 31;
/** So many rounds come first and don't count: by then everything is compiled. */
const WARM_UP = 10;
const dir = mkdtempSync(join(tmpdir(), "pipeline-"));

function journalBytes() {
  const folder = join(dir, ".journal");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".tfj"))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

const files = new ThoughtFlowSpanProcessor({ dir });
const bare = new NodeTracerProvider().getTracer("benchmark");
const observed = new NodeTracerProvider({ spanProcessors: [files] }).getTracer("benchmark");
const measured = Object.keys(kinds).map(() => ({ bare: [], hot: [], total: [], bytes: [] }));

async function timedBare(attributes, { bare: times }, counts) {
  const start = threadCpu();
  produce(bare, attributes);
  if (counts) times.push((threadCpu() - start) / BATCH);
}

async function timedObserved(attributes, { hot, total, bytes }, counts) {
  const before = counts ? journalBytes() : 0;
  const start = threadCpu();
  produce(observed, attributes);
  const produced = threadCpu();
  // Until the records are in the journal, but not yet in documents.
  await wait(150);
  const recorded = threadCpu();
  await files.forceFlush();
  if (!counts) return;
  hot.push((produced - start) / BATCH);
  total.push((recorded - start) / BATCH);
  bytes.push((journalBytes() - before) / BATCH);
}

for (let round = -WARM_UP; round < rounds; round += 1) {
  for (const [index, prepare] of Object.values(kinds).entries()) {
    const turns = round % 2 === 0 ? [timedBare, timedObserved] : [timedObserved, timedBare];
    for (const timed of turns) await timed(prepare(), measured[index], round >= 0);
  }
}

const spans = Object.keys(kinds).map((name, index) => {
  const times = measured[index];
  const alone = tenthPercentile(times.bare);
  return [
    name,
    alone.toFixed(1),
    (tenthPercentile(times.hot) - alone).toFixed(1),
    (tenthPercentile(times.total) - alone).toFixed(1),
    Math.round(tenthPercentile(times.bytes)).toLocaleString("en"),
  ];
});

/** ms of CPU for every stage, of one session with so many runs. */
async function documentOf(runs) {
  const records = await recordsOfToolLoops(runs, join(dir, `${runs}`));
  const times = { assemble: [], json: [], d2: [], svg: [] };
  const timed = (stage, make) => {
    const start = threadCpu();
    const made = make();
    times[stage].push((threadCpu() - start) / 1000);
    return made;
  };
  let size = 0;
  for (let round = 0; round < rounds; round += 1) {
    const sessions = timed("assemble", () => assemble(records));
    if (sessions.length !== 1) throw new Error(`${sessions.length} sessions instead of one`);
    size = timed("json", () => canonicalJson(sessions[0])).length;
    timed("d2", () => d2.render(sessions[0]));
    timed("svg", () => svg.render(sessions[0]));
  }
  const steps = runs * STEPS_PER_RUN;
  const per = (value) => ((value * 1000) / steps).toFixed(1);
  const stages = Object.values(times).map((one) => per(tenthPercentile(one)));
  return [steps.toLocaleString("en"), ...stages, Math.round((size / 1024 / steps) * 1000)];
}

const documents = [];
for (const runs of [125, 500, 2000]) documents.push(await documentOf(runs));
rmSync(dir, { recursive: true });

report("pipeline", [
  `${machine()}; ${rounds} rounds, 10th percentile.`,
  "",
  `µs a span, of ${BATCH} in 32 traces side by side:`,
  "",
  ...table(
    ["spans", "bare", "added until `end()` returns", "added until in the journal", "journal bytes"],
    spans,
  ),
  "",
  "ms for 1,000 steps, by the length of the session:",
  "",
  ...table(["steps", "assemble", "JSON", "D2", "SVG", "KiB of JSON"], documents),
]);
process.exit();
