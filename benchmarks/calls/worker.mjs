/** The process of one variant: runs the scenarios that it is told to, and answers with their CPU times. */
import OpenAI from "openai";
import { threadCpu } from "../thread-cpu.mjs";
import { fakeFetch } from "./fake-fetch.mjs";
import { scenarios } from "./scenarios.mjs";
import { variants } from "./variants.mjs";

const [variant, dir] = process.argv.slice(2);
const options = { apiKey: "none", baseURL: "https://api.openai.com/v1", fetch: fakeFetch };
const { client, settle, write, within } = await variants[variant]({ OpenAI, options, dir });

/** µs a call: until the caller has its answers, until they are recorded, and for what is left to write then. */
async function timed({ run, calls }) {
  const start = threadCpu();
  await run(client, within);
  const answered = threadCpu();
  await settle();
  const recorded = threadCpu();
  await write();
  const written = threadCpu();
  return {
    hot: (answered - start) / calls,
    total: (recorded - start) / calls,
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
