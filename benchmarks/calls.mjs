/**
 * What ThoughtFlow adds to a call of openai, in CPU time of the JavaScript thread. Each variant has a process of its
 * own; they are alive together, and in every round each takes its turn with each scenario, in a random order. A `fetch`
 * that answers at once stands for the network. Needs built packages (`npm run build`).
 *
 *     node benchmarks/calls.mjs [rounds] [--write]
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { scenarios } from "./calls/scenarios.mjs";
import { variants } from "./calls/variants.mjs";
import { machine, report, table } from "./report.mjs";
import { tenthPercentile } from "./statistics.mjs";

const rounds = Number(process.argv[2]) || 21;

/** Compilers decide by what they happened to see first: so many sets of processes, one after the other, even that out. */
const SETS = 3;

const names = Object.keys(variants);
const dirs = mkdtempSync(join(tmpdir(), "calls-"));
const worker = fileURLToPath(new URL("calls/worker.mjs", import.meta.url));

async function start(name) {
  const child = fork(worker, [name, mkdtempSync(join(dirs, "variant-"))], {
    env: { PATH: process.env.PATH },
  });
  child.on("exit", (code) => {
    if (code !== 0) throw new Error(`The process of "${name}" ended with ${code}.`);
  });
  await once(child, "message");
  return child;
}

function shuffled(items) {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** By scenario and variant, a list with a measurement for each round. */
const measured = scenarios.map(() => names.map(() => []));
for (let set = 0; set < SETS; set += 1) {
  const children = await Promise.all(names.map(start));
  for (let round = 0; round < rounds / SETS; round += 1) {
    for (const index of scenarios.keys()) {
      for (const variant of shuffled([...names.keys()])) {
        children[variant].send(index);
        const [times] = await once(children[variant], "message");
        measured[index][variant].push(times);
      }
    }
  }
  await Promise.all(
    children.map((child) => {
      child.disconnect();
      return once(child, "exit");
    }),
  );
}
rmSync(dirs, { recursive: true });

const of = (index, variant, key) =>
  tenthPercentile(measured[index][variant].map((times) => times[key]));
const added = (index, variant, key) => of(index, variant, key) - of(index, 0, key);
const digits = (value) => value.toFixed(Math.abs(value) < 10 ? 1 : 0);

const perCall = scenarios.map(({ name }, index) => [
  name,
  digits(of(index, 0, "hot")),
  ...names
    .slice(1)
    .map(
      (_, at) =>
        `${digits(added(index, at + 1, "hot"))} / ${digits(added(index, at + 1, "total"))}`,
    ),
  digits(of(index, 1, "documents")),
]);

const streams = [...scenarios.keys()].filter((index) => scenarios[index].chunks !== undefined);
const [shortest, longest] = [streams.at(0), streams.at(-1)];
const slope = (time) =>
  (time(longest) - time(shortest)) / (scenarios[longest].chunks - scenarios[shortest].chunks);
const perChunk = [
  "a chunk (slope)",
  slope((index) => of(index, 0, "hot")).toFixed(2),
  ...names
    .slice(1)
    .map((_, at) =>
      ["hot", "total"]
        .map((key) => slope((index) => added(index, at + 1, key)).toFixed(2))
        .join(" / "),
    ),
  "",
];

report("calls", [
  `${machine()}; ${rounds} rounds, 10th percentile, µs:`,
  "",
  ...table(
    ["", "bare", ...names.slice(1).map((name) => `${name}: added`), "documents"],
    [...perCall, perChunk],
  ),
]);
