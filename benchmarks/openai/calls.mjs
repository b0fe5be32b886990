/**
 * What ThoughtFlow and its peers add to a call of openai, in CPU time of the JavaScript thread. Each variant has a
 * process of its own; they are alive together, and in every round each takes its turn with each scenario, in a random
 * order: blocks of its calls beside blocks of a bare client's in the same process. A `fetch` that answers at once stands
 * for the network. Needs built packages (`npm run build`) and the peers (`npm run bench:peers`).
 *
 *     node benchmarks/openai/calls.mjs [--quick] [--write] [--variants <regexp>] [--scenarios <regexp>]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { machine, report } from "../report.mjs";
import { callTables } from "./call-tables.mjs";
import { scenarios } from "./scenarios.mjs";
import { startVariant } from "./variant-process.mjs";
import { variants } from "./variants.mjs";

const { values: flags } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    variants: { type: "string", default: "" },
    scenarios: { type: "string", default: "" },
  },
});

/** Compilers decide by what they happened to see first: so many sets of processes, one after the other, even that out. */
const SETS = flags.quick ? 1 : 3;
/** So long a set of all variants and scenarios goes on, with as many rounds as a machine makes in that time. */
const SECONDS = flags.quick ? 100 : 200;
const LEAST_ROUNDS = 4;
/** So many rounds come first and don't count: by then everything is compiled. */
const WARM_UP = 1;

const wantedVariants = new RegExp(`^bare$|${flags.variants}`);
const wantedScenarios = new RegExp(flags.scenarios);
const chosenVariants = variants.filter(({ name }) => wantedVariants.test(name));
const chosenScenarios = [...scenarios.keys()].filter((at) =>
  wantedScenarios.test(scenarios[at].name),
);

const share =
  (chosenVariants.length * chosenScenarios.length) / (variants.length * scenarios.length);

function shuffled(items) {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** One set of processes: by variant and scenario, what is missing in its recording, and a measurement for each round. */
async function measureSet(dir) {
  let end = Number.POSITIVE_INFINITY;
  const processes = [];
  progress("starting");
  for (const variant of chosenVariants) processes.push(await startVariant(variant, dir));
  const results = chosenVariants.map(() =>
    scenarios.map(() => ({ missing: [], pairs: [], documents: [] })),
  );
  for (const [variant, { ask }] of processes.entries()) {
    if (chosenVariants[variant].hasContent === false) continue;
    for (const at of chosenScenarios) results[variant][at].missing = await ask("checked", at);
  }
  for (let round = -WARM_UP; round < LEAST_ROUNDS || performance.now() < end; round += 1) {
    if (round === 0) end = performance.now() + SECONDS * 1000 * share;
    progress(round < 0 ? "warming up" : `round ${round + 1}`);
    for (const at of chosenScenarios) {
      for (const variant of shuffled([...processes.keys()])) {
        const { pairs, documents } = await processes[variant].ask("timed", at);
        if (round < 0) continue;
        results[variant][at].pairs.push(...pairs);
        results[variant][at].documents.push(documents);
      }
    }
  }
  for (const one of processes) await one.end();
  return results;
}

/** On a terminal only. */
function progress(text) {
  if (process.stderr.isTTY)
    process.stderr.write(`\r\x1b[K${text && `set ${sets.length + 1}: ${text}`}`);
}

const sets = [];
for (let set = 0; set < SETS; set += 1) {
  const dir = mkdtempSync(join(tmpdir(), "calls-"));
  sets.push(await measureSet(dir));
  rmSync(dir, { recursive: true });
}

progress("");
const rounds = sets.map(([bare]) => bare[chosenScenarios[0]].documents.length).join(" + ");
report("calls", [
  `${machine()}; ${rounds} rounds, 10th percentile.`,
  "",
  ...callTables({ variants: chosenVariants, scenarios, chosenScenarios, sets }),
]);
