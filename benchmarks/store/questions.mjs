/**
 * How fast a SQLite store of so many steps answers. Every question is asked four times; the middle of the last three counts. What it
 * takes of the processor is what a machine with nothing else to do would take.
 *
 *     node benchmarks/store/questions.mjs FILE [steps] [--write]
 *
 * Fills FILE where there is none, which takes a quarter of an hour for a million steps, and leaves it for the next time.
 * `--write` puts the table into README.md.
 */
import { existsSync, renameSync, statSync } from "node:fs";
import {
  appendRecords,
  callsBy,
  callsByAdaptation,
  deriveSessions,
  openStore,
  overview,
  readOnlySql,
  runs,
  search,
  tokensByPart,
  workBy,
} from "@thoughtflow/store";
import { machine, report, table } from "../report.mjs";
import { median } from "../statistics.mjs";
import { dayAfter, RUNS, recordsOf, STEPS_OF_RUN } from "./made-sessions.mjs";

const [path = "", number] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
if (path === "") throw new Error("Which file? node benchmarks/store/questions.mjs FILE");
const steps = Number(number ?? 1_000_000);

/** Sessions that are taken in and derived at a time. */
const AT_ONCE = 50;

async function fill() {
  const store = await openStore(`${path}.part`);
  const sessions = Math.ceil(steps / RUNS / STEPS_OF_RUN);
  for (let first = 0; first < sessions; first += AT_ONCE) {
    const portion = [];
    for (let session = first; session < Math.min(sessions, first + AT_ONCE); session++)
      portion.push(...recordsOf(session));
    await appendRecords(store, portion);
    await deriveSessions(store);
  }
  await store.close();
  renameSync(`${path}.part`, path);
}

if (!existsSync(path)) await fill();
const store = await openStore(path);
const { rows } = await overview(store);

const since = dayAfter(150);
const listed = { limit: 20, silentSince: dayAfter(400) };
const QUESTIONS = {
  stats: () => overview(store),
  ...Object.fromEntries(
    ["model", "agent", "user", "session", "day"].map((by) => [
      `stats --by ${by}`,
      () => callsBy(store, by),
    ]),
  ),
  "stats --by model --since": () => callsBy(store, "model", { since }),
  "stats --by tool": () => workBy(store, "tool"),
  "stats --by node": () => workBy(store, "node"),
  "stats --by part": () => tokensByPart(store),
  "stats --by adaptation": () => callsByAdaptation(store),
  ...Object.fromEntries(
    ["latest", "slowest", "expensive", "failed", "stuck"].map((which) => [
      `stats --runs ${which}`,
      () => runs(store, which, listed),
    ]),
  ),
  "search zanzibar": () => search(store, "zanzibar"),
  "search town user:user-7": () => search(store, "town user:user-7"),
  "search status:error": () => search(store, "label:node status:error"),
  ...Object.fromEntries(
    [
      "cost>=0.001",
      "tokens>100000",
      "duration>1h",
      "model:gpt-4",
      "user:nobody",
      "confidence<0.3",
      "confidence<0.9",
      "tag:none",
      "/zan.*bar/",
      "/zan.*bar/ label:assistant_message",
      "/so (often|seldom)/",
      "degrees /[xyz]{7}/ user:user-7",
      "/[xyz]{7}/",
      String.raw`/\d{13}/`,
      "/[A-Z]{2}-[0-9]{4}/",
      String.raw`/\$[0-9]+/`,
      "/[^a-z]{20}/",
      "/a|b/",
      "/(a+)+$/",
      "label:tool_output /[xyz]{7}/",
      "-/e/",
    ].map((filter) => [`search ${filter}`, () => search(store, filter)]),
  ),
  "sql: tokens by model": () =>
    readOnlySql(store, "select model, sum(total_tokens) from llm_traces group by model", 50),
};

const answers = [];
for (const [name, ask] of Object.entries(QUESTIONS)) {
  const [times, processor] = [[], []];
  for (let round = 0; round < 4; round++) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    await ask();
    times.push(performance.now() - start);
    const { user, system } = process.cpuUsage(before);
    processor.push((user + system) / 1000);
  }
  const middle = (all) => `${Math.round(median(all.slice(1)))} ms`;
  answers.push([`\`${name}\``, middle(times), middle(processor)]);
}
const mebibytes = Math.round(statSync(path).size / 2 ** 20).toLocaleString("en");
await store.close();

report("store-questions", [
  ...table(["question", "time", "of the processor"], answers),
  "",
  `${Number(rows[0].steps).toLocaleString("en")} steps, ${mebibytes} MiB on disk, asked by one process. ${machine()}.`,
]);
