// A server's worth of conversations, several at a time; knows nothing but openai. Prints its heap as it goes.
import OpenAI from "openai";

const conversations = Number(process.argv[2]);
const CONCURRENT = 16;
const TURNS = 5;
const client = new OpenAI({ apiKey: "sk-soak" });
let calls = 0;
let next = 0;

async function converse(id) {
  const messages = [{ role: "system", content: "Be brief." }];
  for (let turn = 0; turn < TURNS; turn++) {
    messages.push({
      role: "user",
      content: `conversation ${id}, turn ${turn}${turn % 2 ? "?" : ""}`,
    });
    for (;;) {
      const { choices } = await client.chat.completions.create({ model: "soak", messages });
      calls++;
      const [{ message }] = choices;
      messages.push(message);
      if (!message.tool_calls) break;
      for (const { id: callId } of message.tool_calls) {
        messages.push({ role: "tool", tool_call_id: callId, content: `saw ${callId}` });
      }
    }
  }
}

async function worker() {
  while (next < conversations) {
    const id = next++;
    await converse(id);
    if (id % Math.ceil(conversations / 10) === 0) {
      globalThis.gc();
      const { heapUsed, rss } = process.memoryUsage();
      console.log(
        JSON.stringify({ id, calls, heapMiB: heapUsed / 2 ** 20, rssMiB: rss / 2 ** 20 }),
      );
    }
  }
}

await Promise.all(Array.from({ length: CONCURRENT }, worker));
console.log(JSON.stringify({ calls }));
