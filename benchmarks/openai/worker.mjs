/** The process of one variant: does what it is told to with a scenario, and answers with what came of it. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { threadCpu } from "../thread-cpu.mjs";
import { fakeFetch } from "./fake-fetch.mjs";
import { dropArrivals, keepArrivals } from "./null-sink.mjs";
import { largeContexts, longStream, scenarios } from "./scenarios.mjs";
import { answer, tokens } from "./texts.mjs";

const { module, settings } = JSON.parse(process.argv[2]);
const options = {
  apiKey: "none",
  baseURL: "https://api.openai.com/v1",
  maxRetries: 0,
  fetch: fakeFetch,
};
const { start } = await import(`./variants/${module}.mjs`);
const {
  client,
  settle,
  write,
  inRun,
  recorded,
  tidy,
  share = 1,
  aside = (work) => work(),
} = await start(options, { ...settings, dir: process.argv[3] });

/** A client of a copy of the SDK that nobody has touched, in this process: what disturbs one disturbs the other. */
const { default: BareOpenAI } = await import(process.argv[4]);
const bare = new BareOpenAI(options);

async function make(calls, { call, callsInRun }) {
  if (callsInRun === undefined) {
    for (let made = 0; made < calls; made += 1) await call(client);
    return;
  }
  for (let made = 0; made < calls; made += callsInRun) {
    await inRun(async () => {
      for (let inside = 0; inside < callsInRun; inside += 1) await call(client);
    });
  }
}

async function makeBare(calls, { call }) {
  for (let made = 0; made < calls; made += 1) await call(bare);
}

/** Lets what was put off for after the caller's path be done. */
async function afterwards() {
  await turns();
  await settle();
}

async function turns() {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}

/** µs a call: until the caller has its answers, and until they are recorded. */
async function block(calls, make, settle, scenario) {
  const began = threadCpu();
  await make(calls, scenario);
  const answered = threadCpu();
  await settle();
  return { hot: (answered - began) / calls, total: (threadCpu() - began) / calls };
}

const warm = new Set();

/** Some 300 ms of calls come first, that compilers have something to go by. */
async function warmUp(scenario) {
  if (warm.has(scenario)) return;
  warm.add(scenario);
  const end = performance.now() + 300;
  await aside(async () => {
    while (performance.now() < end) await make(scenario.callsInRun ?? 1, scenario);
  });
  await afterwards();
  await write?.();
  await tidy?.();
}

/** So long a process has its turn, ms, whatever one block takes. */
const TURN = 150;

/** Blocks of calls beside blocks of the bare client's; the last says what is left to write then, µs a call. */
async function timed(scenario) {
  await warmUp(scenario);
  const { callsInRun = 1 } = scenario;
  const calls = Math.ceil((scenario.calls * share) / callsInRun) * callsInRun;
  // The process comes from a sleep: its caches are cold.
  await make(Math.ceil(calls / 4 / callsInRun) * callsInRun, scenario);
  await afterwards();
  const pairs = [];
  for (const end = performance.now() + TURN; pairs.length === 0 || performance.now() < end; ) {
    const isFirst = Math.random() < 0.5;
    const before = isFirst ? undefined : await block(scenario.calls, makeBare, turns, scenario);
    const own = await block(calls, make, afterwards, scenario);
    pairs.push({
      ...own,
      bare: before ?? (await block(scenario.calls, makeBare, turns, scenario)),
    });
  }
  const settled = threadCpu();
  await write?.();
  const documents = (threadCpu() - settled) / (calls * pairs.length);
  await tidy?.();
  return { pairs, documents };
}

/** Which of the first and last input text, the answer and the token counts are in what was recorded of one call. */
async function checked({ call, texts }) {
  await tidy?.();
  keepArrivals();
  await call(bare);
  await afterwards();
  await write?.();
  if ((await recorded()).includes(answer)) throw new Error("A bare call was recorded.");
  await call(client);
  await afterwards();
  await write?.();
  const text = await recorded();
  dropArrivals();
  const parts = { input: texts, answer: [answer], tokens: Object.values(tokens).map(String) };
  return Object.keys(parts).filter((part) => !parts[part].every((one) => text.includes(one)));
}

/** Bytes of the heap in use, without garbage. */
async function heapInUse() {
  for (let time = 0; time < 4; time += 1) {
    await nextTurn();
    global.gc();
  }
  return process.memoryUsage().heapUsed;
}

/** Bytes that a call holds while it waits to be exported, of so many: what was there after the export counts for nothing. */
async function held(scenario, calls) {
  await make(calls, scenario);
  await afterwards();
  await make(calls, scenario);
  const waiting = await heapInUse();
  await afterwards();
  return (waiting - (await heapInUse())) / calls;
}

/** Bytes that so many calls of 1 MB hold together. */
async function heldInAll(_, calls) {
  return calls * (await held(largeContexts, calls));
}

/** Bytes by which the heap grows with each call, between so many calls and so many. */
async function growth(scenario, [few, many]) {
  let made = 0;
  const heaps = [];
  for (const calls of [few, many]) {
    for (; made < calls; made += 500) {
      await make(500, scenario);
      await afterwards();
    }
    heaps.push(await heapInUse());
  }
  return (heaps[1] - heaps[0]) / (many - few);
}

/** Bytes that are in use more, at most, while a long stream is read. */
async function peak() {
  await longStream.call(client);
  await afterwards();
  const before = await heapInUse();
  let most = 0;
  await longStream.call(client, (chunk) => {
    if (chunk % 10_000 !== 0) return;
    global.gc();
    most = Math.max(most, process.memoryUsage().heapUsed - before);
  });
  await afterwards();
  return most;
}

const tasks = { timed, checked, held, heldInAll, growth, peak };

process.on("message", async ([task, index, ...how]) =>
  process.send(await tasks[task](scenarios[index], ...how)),
);
process.on("disconnect", () => process.exit());
process.send("ready");
