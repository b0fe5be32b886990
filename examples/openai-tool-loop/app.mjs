/**
 * An app that only knows openai: it asks for the weather in two cities, runs the tools that the model calls, in
 * parallel, and prints the answer. Nothing in here knows that anybody is watching:
 *
 *   OPENAI_API_KEY=… node --import @thoughtflow/node/register openai-tool-loop/app.mjs
 *
 * OPENAI_BASE_URL points it at any server that speaks the same language, OPENAI_MODEL names another model.
 */
import OpenAI from "openai";

const openai = new OpenAI();
const model = process.env.OPENAI_MODEL ?? "gpt-5-mini";

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

const weather = { Canberra: "2 °C, chilly", Lisbon: "24 °C, sunny" };

async function runTool({ name, arguments: text }) {
  if (name !== "get_weather") return `There is no tool ${name}.`;
  const { city } = JSON.parse(text);
  return weather[city] ?? `No weather for ${city}.`;
}

const messages = [
  { role: "system", content: "Answer in one sentence." },
  { role: "user", content: "Is it warmer in Canberra or in Lisbon?" },
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
  const outputs = message.tool_calls.map(async (call) => ({
    role: "tool",
    tool_call_id: call.id,
    content: await runTool(call.function),
  }));
  messages.push(...(await Promise.all(outputs)));
}
