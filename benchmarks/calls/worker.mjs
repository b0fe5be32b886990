/** The process of one variant: runs the scenarios that it is told to, and answers with their CPU times. */
import { setImmediate as nextTurn } from "node:timers/promises";
import OpenAI from "openai";
import { tenthPercentile } from "../statistics.mjs";
import { threadCpu } from "../thread-cpu.mjs";
import { fakeFetch } from "./fake-fetch.mjs";
import { scenarios } from "./scenarios.mjs";
import { variants } from "./variants.mjs";

const [variant, dir] = process.argv.slice(2);
const options = { apiKey: "none", baseURL: "https://api.openai.com/v1", fetch: fakeFetch };
const { client, settle, write, within } = await variants[variant]({ OpenAI, options, dir });

/** µs a call until the caller has its answers, of many runs in a row; what is done after each is not counted. */
async function timedHot({ run, calls, runs = 5 }) {
  const times = [];
  for (let time = 0; time < runs; time += 1) {
    const start = threadCpu();
    await run(client, within);
    times.push((threadCpu() - start) / calls);
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  }
  return tenthPercentile(times);
}

/** µs a call: until the caller has its answers, until they are recorded, and for what is left to write then. */
async function timed(scenario) {
  const { run, calls } = scenario;
  const hot = await timedHot(scenario);
  await settle();
  await write();
  await run(client, within);
  const answered = threadCpu();
  await settle();
  const recorded = threadCpu();
  await write();
  const written = threadCpu();
  return {
    hot,
    total: hot + (recorded - answered) / calls,
    documents: (written - recorded) / calls,
  };
}

for (const { run, warmUp } of scenarios) {
  for (let time = 0; time < warmUp; time += 1) {
    await run(client, within);
    await settle();
  }
}
await write();

process.on("message", async (index) => process.send(await timed(scenarios[index])));
process.on("disconnect", () => process.exit());
process.send("ready");
