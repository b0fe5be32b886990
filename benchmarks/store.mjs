/**
 * How fast a store takes records in, and answers over so many steps: sessions of ten runs, each a question, a node, two
 * model calls and a tool. Every question is asked four times; the middle of the last three counts.
 *
 *     node benchmarks/store.mjs [steps] [--write]
 *
 * `--write` puts the table into README.md. PostgreSQL is the system's, started for this on a free port.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  appendRecords,
  callsBy,
  callsByAdaptation,
  deriveSessions,
  openStore,
  overview,
  runs,
  search,
  tokensByPart,
  workBy,
} from "@thoughtflow/store";
import { startPostgres } from "../packages/store/testing/postgres-server.ts";
import { machine, report, table } from "./report.mjs";
import { median } from "./statistics.mjs";

const steps = Number(process.argv[2]) || 1_000_000;
const RUNS = 10;
const STEPS_OF_RUN = 8;
const DAY = 86_400;
const EPOCH = 1_767_225_600;
const MODELS = ["gpt-5-mini", "gpt-4o-mini", "gpt-4.1-nano", "o4-mini"];
const NODES = ["ingestMessage", "routeIntent", "answer", "handleGeneral"];

const count = (number) => Math.round(number).toLocaleString("en");
const seconds = (from, until) => (until - from) / 1000;
const hex = (number, length) => number.toString(16).padStart(length, "0");
const nanoseconds = (seconds) => `${Math.round(seconds * 1000)}000000`;

function* recordsOf(session) {
  const user = `user-${session % 997}`;
  for (let run = 0; run < RUNS; run++) {
    const number = session * RUNS + run;
    const traceId = hex(number + 1, 32);
    const at = EPOCH + (number % (300 * DAY));
    const took = 1 + ((number * 7919) % 1000) / 100;
    const span = (id, parent, from, until, attributes, content = {}) => ({
      type: "span_end",
      traceId,
      spanId: hex(id, 16),
      ...(parent !== undefined && { parentSpanId: hex(parent, 16) }),
      name: "span",
      kind: "internal",
      startTimeUnixNano: nanoseconds(at + from * took),
      endTimeUnixNano: nanoseconds(at + until * took),
      status: { code: number % 53 === 0 && id === 2 ? "error" : "unset" },
      attributes: { "session.id": `session-${session}`, ...attributes },
      content,
      events: [],
      links: [],
      scope: { name: "benchmark" },
      resource: {},
    });
    const say = (role, content) => JSON.stringify({ role, parts: [{ type: "text", content }] });
    const question = say("user", `Question ${number}: how warm is it in town ${number % 5000}?`);
    const asked = JSON.stringify({
      role: "assistant",
      parts: [
        { type: "tool_call", id: `call_${number}`, name: "weather", arguments: { town: number } },
      ],
    });
    const given = JSON.stringify({
      role: "tool",
      parts: [{ type: "tool_call_response", id: `call_${number}`, response: "18 degrees" }],
    });
    const call = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": MODELS[number % 4],
      "gen_ai.usage.input_tokens": 100 + (number % 400),
      "gen_ai.usage.output_tokens": 20 + (number % 50),
    };
    const rare = number % 100_000 === 77 ? " zanzibar" : "";
    yield span(1, undefined, 0, 1, { "gen_ai.operation.name": "invoke_workflow", "user.id": user });
    yield span(
      2,
      1,
      0,
      0.9,
      { "thoughtflow.step.label": "node" },
      {
        "thoughtflow.step.started": JSON.stringify({ name: NODES[number % 4] }),
      },
    );
    yield span(3, 2, 0.1, 0.4, call, {
      "gen_ai.input.messages": [question],
      "gen_ai.output.messages": [asked],
    });
    yield span(4, 2, 0.5, 0.8, call, {
      "gen_ai.input.messages": [question, asked, given],
      "gen_ai.output.messages": [say("assistant", `It is 18 degrees there, as so often.${rare}`)],
    });
  }
}

const dir = mkdtempSync(join(tmpdir(), "thoughtflow-store-"));
const path = join(dir, "flows.db");
const store = await openStore(path);
const sessions = Math.ceil(steps / RUNS / STEPS_OF_RUN);

/** Transactions that are under way at the same time: a database of several processors commits them side by side. */
const WRITERS = 4;

/** Records of 2 KiB, 1,000 a transaction: how many are committed in a second. */
async function appendRate(url, writers) {
  const text = JSON.stringify("what the tool found out, at some length; ".repeat(40));
  const [one] = recordsOf(0);
  const all = Array.from({ length: 20_000 }, (_, number) => ({
    ...one,
    traceId: hex(number, 32),
    attributes: { "session.id": `appended-${number % 100}`, note: text },
  }));
  const other = await openStore(url);
  const before = performance.now();
  let next = 0;
  const write = async () => {
    for (let at = next; at < all.length; at = next) {
      next += 1000;
      await appendRecords(other, all.slice(at, at + 1000));
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  const rate = all.length / seconds(before, performance.now());
  await other.close();
  return rate;
}

const appended = await appendRate(join(dir, "append.db"), 1);
const postgres = await startPostgres();
const appendedThere = await appendRate(postgres.createDatabase("append"), WRITERS);
await postgres.stop();
const before = performance.now();
let portion = [];
for (let session = 0; session < sessions; session++) {
  portion.push(...recordsOf(session));
  if (portion.length < 2000 && session < sessions - 1) continue;
  await appendRecords(store, portion);
  portion = [];
}
const loaded = performance.now();
await deriveSessions(store);
const derived = performance.now();
const { rows } = await overview(store);
const total = rows[0].steps;

const since = new Date((EPOCH + 200 * DAY) * 1000).toISOString();
const listed = { limit: 20, silentSince: since };
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
};

const answers = [];
for (const [name, ask] of Object.entries(QUESTIONS)) {
  const times = [];
  for (let round = 0; round < 4; round++) {
    const start = performance.now();
    await ask();
    times.push(performance.now() - start);
  }
  answers.push([name, `${Math.round(median(times.slice(1)))} ms`]);
}
const bytes = statSync(path).size;
await store.close();
rmSync(dir, { recursive: true });

report("store", [
  ...table(
    ["what", "figure"],
    [
      ["records of 2 KiB into SQLite, 1,000 a transaction", `${count(appended)} a second`],
      [`the same into PostgreSQL, ${WRITERS} at a time`, `${count(appendedThere)} a second`],
      ["steps in the store", count(total)],
      ["records loaded", `${count((sessions * RUNS * 4) / seconds(before, loaded))} a second`],
      ["sessions derived", `${count(sessions / seconds(loaded, derived))} a second`],
      ["steps derived", `${count(total / seconds(loaded, derived))} a second`],
      ["size of the file", `${count(bytes / 2 ** 20)} MiB`],
      ...answers,
    ],
  ),
  "",
  `One process; SQLite on disk, every transaction synced. ${machine()}.`,
]);
