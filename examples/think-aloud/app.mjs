// The loop that everybody writes, with one tool more: the model says what it thinks before it acts.
import {
  createThoughtBudget,
  executeThinkAloud,
  isThinkAloudCall,
  thinkAloudGuidance,
  thinkAloudTool,
} from "@thoughtflow/think-aloud";
import OpenAI from "openai";

const openai = new OpenAI();
const weather = { "San Francisco": { celsius: 22, sky: "clear" } };
const getWeather = {
  type: "function",
  function: { name: "get_weather", parameters: { type: "object", properties: { city: {} } } },
};

const budget = createThoughtBudget(6);
const messages = [
  { role: "system", content: `You are a weather assistant.\n\n${thinkAloudGuidance.value}` },
  { role: "user", content: "How warm is it in San Francisco, in Fahrenheit?" },
];

for (;;) {
  const { choices } = await openai.chat.completions.create({
    model: process.env.OPENAI_MODEL ?? "gpt-4o-mini",
    messages,
    tools: budget.isSpent ? [getWeather] : [getWeather, thinkAloudTool.chat],
  });
  const [{ message }] = choices;
  messages.push(message);
  if (!message.tool_calls) {
    console.log(message.content);
    break;
  }
  for (const call of message.tool_calls) {
    const result = isThinkAloudCall(call)
      ? executeThinkAloud(call, { budget })
      : weather[JSON.parse(call.function.arguments).city];
    messages.push({ role: "tool", tool_call_id: call.id, content: JSON.stringify(result) });
  }
}
