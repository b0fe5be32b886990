/**
 * A loop of one's own, as everybody writes it, with one line more: `traceTools`. What the tools do, and when, and how
 * they fail, is then part of what is recorded:
 *
 *   OPENAI_API_KEY=… node --import @thoughtflow/node/register openai-traced-tools/app.mjs
 *
 * OPENAI_BASE_URL points it at any server that speaks the same language, OPENAI_MODEL names another model.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { traceTools } from "@thoughtflow/tracing";
import OpenAI from "openai";

const openai = new OpenAI();
const model = process.env.OPENAI_MODEL ?? "gpt-5-mini";

const weather = { Canberra: "2 °C, chilly", Lisbon: "24 °C, sunny" };

const run = traceTools({
  async get_weather({ city }) {
    await sleep(20);
    if (!(city in weather)) throw new RangeError(`no weather for ${city}`);
    return weather[city];
  },
});

const tools = [
  {
    type: "function",
    function: {
      name: "get_weather",
      description: "The weather in a city, now.",
      parameters: {
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
      },
    },
  },
];

const messages = [
  { role: "system", content: "Answer in one sentence." },
  { role: "user", content: "Is it warmer in Canberra, in Lisbon or in Atlantis?" },
];

const MOST_TURNS = 8;

for (let turn = 0; turn < MOST_TURNS; turn += 1) {
  const { choices } = await openai.chat.completions.create({ model, messages, tools });
  const { message } = choices[0];
  messages.push(message);
  if (!message.tool_calls?.length) {
    console.log(message.content);
    break;
  }
  const outputs = message.tool_calls.map(async ({ id, function: call }) => ({
    role: "tool",
    tool_call_id: id,
    content: await run[call.name](JSON.parse(call.arguments)).catch(({ message: why }) => why),
  }));
  messages.push(...(await Promise.all(outputs)));
}
