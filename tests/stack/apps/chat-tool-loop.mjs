// An app that knows openai and nothing else: it asks, runs the tools it is told to, and asks again.
import OpenAI from "openai";

const populations = { Crumpet: 123124 };
const tools = {
  lookup_population: ({ country }) => String(populations[country] ?? 0),
  can_have_dragons: ({ population }) => String(population > 10000),
};
const described = Object.keys(tools).map((name) => ({
  type: "function",
  function: { name, parameters: { type: "object", properties: {} } },
}));

const client = new OpenAI({ maxRetries: 0 });
const messages = [
  { role: "user", content: "Can the country of Crumpet have dragons? Answer with only YES or NO" },
];
for (;;) {
  const { choices } = await client.chat.completions.create({
    model: "gpt-4o-mini",
    messages,
    tools: described,
  });
  const { message } = choices[0];
  messages.push(message);
  if (!message.tool_calls) break;
  for (const { id, function: called } of message.tool_calls) {
    const content = tools[called.name](JSON.parse(called.arguments));
    messages.push({ role: "tool", tool_call_id: id, content });
  }
}
console.log(messages.at(-1).content);
