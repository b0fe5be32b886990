/**
 * An app that leaves the loop to openai's `runTools`, with a tool that asks a model itself. Nothing in here knows that
 * anybody is watching:
 *
 *   OPENAI_API_KEY=… node --import @thoughtflow/node/register openai-run-tools/app.mjs
 *
 * OPENAI_BASE_URL points it at any server that speaks the same language, OPENAI_MODEL names another model.
 */
import { setTimeout as sleep } from "node:timers/promises";
import OpenAI from "openai";

const openai = new OpenAI();
const model = process.env.OPENAI_MODEL ?? "gpt-5-mini";

const weather = { Canberra: "2 °C, chilly", Lisbon: "24 °C, sunny" };

async function getWeather({ city }) {
  await sleep(20);
  return weather[city] ?? `No weather for ${city}.`;
}

/** An agent below the agent. */
async function packingList({ weather: forecast }) {
  const { choices } = await openai.chat.completions.create({
    model,
    messages: [{ role: "user", content: `Three things to pack, in one line, for: ${forecast}` }],
  });
  return choices[0].message.content;
}

const tool = (fn, name, description, parameter) => ({
  type: "function",
  function: {
    name,
    description,
    parameters: {
      type: "object",
      properties: { [parameter]: { type: "string" } },
      required: [parameter],
    },
    parse: JSON.parse,
    function: fn,
  },
});

const runner = openai.chat.completions.runTools({
  model,
  messages: [
    { role: "system", content: "Answer in one sentence." },
    { role: "user", content: "Is it warmer in Canberra or in Lisbon, and what do I pack there?" },
  ],
  tools: [
    tool(getWeather, "get_weather", "The weather in a city, now.", "city"),
    tool(packingList, "packing_list", "What to pack for some weather.", "weather"),
  ],
});

console.log(await runner.finalContent());
