// A day of an agent in as little time as it takes: one session, each hour so many tasks of a few turns with tools, then its
// files. Prints its memory at the end of each hour.
import { startThoughtFlow } from "@thoughtflow/node";
import { withRun, withSession } from "@thoughtflow/tracing";
import OpenAI from "openai";

const hours = Number(process.argv[2]);
const TASKS_AN_HOUR = 30;
const TURNS = 4;
const flow = startThoughtFlow({ openai: OpenAI });
const client = new OpenAI({ apiKey: "sk-soak" });
let calls = 0;

async function task(hour, number) {
  const messages = [{ role: "system", content: "Be brief." }];
  for (let turn = 0; turn < TURNS; turn++) {
    const content = `hour ${hour}, task ${number}, turn ${turn}${turn % 2 ? "?" : ""} ${"at some length ".repeat(40)}`;
    messages.push({ role: "user", content: `${content}${turn % 2 ? "?" : ""}` });
    for (;;) {
      const { choices } = await client.chat.completions.create({ model: "soak", messages });
      calls++;
      const [{ message }] = choices;
      messages.push(message);
      if (!message.tool_calls) break;
      for (const { id } of message.tool_calls)
        messages.push({ role: "tool", tool_call_id: id, content: `saw ${id} ${"x".repeat(500)}` });
    }
  }
}

await withSession({ id: "day" }, async () => {
  for (let hour = 0; hour < hours; hour++) {
    for (let number = 0; number < TASKS_AN_HOUR; number++)
      await withRun({ name: `task ${number}` }, () => task(hour, number));
    await flow.flush();
    globalThis.gc();
    const { heapUsed, external, rss } = process.memoryUsage();
    const [heldMiB, rssMiB] = [heapUsed + external, rss].map((bytes) => bytes / 2 ** 20);
    console.log(JSON.stringify({ hour, calls, heldMiB, rssMiB }));
  }
});
