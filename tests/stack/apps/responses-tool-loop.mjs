// The same kind of app over the Responses API: streamed, stateless, the history sent again.
import OpenAI from "openai";

const client = new OpenAI({ maxRetries: 0 });
const input = [{ role: "user", content: "What is 1231 * 2331? Use the multiply tool." }];
const tools = [
  {
    type: "function",
    name: "multiply",
    strict: true,
    parameters: {
      type: "object",
      properties: { a: { type: "integer" }, b: { type: "integer" } },
      required: ["a", "b"],
      additionalProperties: false,
    },
  },
];
for (;;) {
  const stream = await client.responses.create({ model: "gpt-5.5", input, tools, stream: true });
  let response;
  for await (const event of stream) {
    if (event.type === "response.completed") ({ response } = event);
  }
  input.push(...response.output);
  const calls = response.output.filter(({ type }) => type === "function_call");
  if (calls.length === 0) {
    console.log(response.output.at(-1).content[0].text);
    break;
  }
  for (const { call_id, arguments: text } of calls) {
    const { a, b } = JSON.parse(text);
    input.push({ type: "function_call_output", call_id, output: String(a * b) });
  }
}
