// An ordinary app: it knows openai and nothing else. `thoughtflow demo` runs it against recorded answers,
// with the register hook and without changing a line of it.
import OpenAI from "openai";

const openai = new OpenAI();

const tools = {
  get_current_weather: ({ location }) =>
    location.startsWith("Seattle") ? "50 degrees and raining" : "70 degrees and sunny",
  multiply: ({ a, b }) => String(a * b),
};

const runTool = (name, args) => tools[name](JSON.parse(args));

/** Chat Completions: the model asks for two tools at once. */
async function weather() {
  const messages = [
    { role: "system", content: "You're a helpful assistant." },
    { role: "user", content: "What's the weather in Seattle and San Francisco today?" },
  ];
  const definitions = [
    {
      type: "function",
      function: {
        name: "get_current_weather",
        description: "Get the current weather in a given location",
        parameters: {
          type: "object",
          properties: {
            location: { type: "string", description: "The city and state, e.g. Boston, MA" },
          },
          required: ["location"],
          additionalProperties: false,
        },
      },
    },
  ];
  for (;;) {
    const { choices } = await openai.chat.completions.create({
      model: "gpt-4o-mini",
      messages,
      tools: definitions,
      tool_choice: "auto",
    });
    const { message } = choices[0];
    messages.push(message);
    if (!message.tool_calls) return message.content;
    for (const { id, function: call } of message.tool_calls) {
      const content = runTool(call.name, call.arguments);
      messages.push({ role: "tool", tool_call_id: id, content });
    }
  }
}

/** Responses, streamed: the answer comes word by word, after a tool has done the sum. */
async function multiplication() {
  const input = [{ role: "user", content: "What is 1231 * 2331? Use the multiply tool." }];
  const definitions = [
    {
      type: "function",
      name: "multiply",
      description: "Multiply two numbers.",
      parameters: {
        type: "object",
        properties: { a: { type: "integer" }, b: { type: "integer" } },
        required: ["a", "b"],
      },
    },
  ];
  for (;;) {
    const stream = await openai.responses.create({
      model: "gpt-5.5",
      input,
      tools: definitions,
      reasoning: { effort: "low" },
      store: false,
      stream: true,
    });
    let text = "";
    const calls = [];
    for await (const event of stream) {
      if (event.type === "response.output_text.delta") text += event.delta;
      if (event.type === "response.output_item.done" && event.item.type === "function_call") {
        calls.push(event.item);
      }
    }
    if (calls.length === 0) return text;
    for (const { call_id, name, arguments: args } of calls) {
      input.push({ type: "function_call", call_id, name, arguments: args });
      input.push({ type: "function_call_output", call_id, output: runTool(name, args) });
    }
  }
}

/** A conversation of two turns: each turn is a run of one session. */
async function twoTurns() {
  const messages = [];
  const say = async (content) => {
    messages.push({ role: "user", content });
    const { choices } = await openai.chat.completions.create({ model: "gpt-4.1-nano", messages });
    messages.push({ role: "assistant", content: choices[0].message.content });
    return choices[0].message.content;
  };
  const noun = await say("Generate a random noun in Korean. Respond with just that word.");
  return `${noun}: ${await say("Now, generate a sentence using the word you just gave me.")}`;
}

/** A call that fails: the app sees openai's own error. */
async function unknownModel() {
  try {
    await openai.chat.completions.create({
      model: "this-model-does-not-exist",
      messages: [{ role: "user", content: "Say this is a test" }],
    });
  } catch (error) {
    return `${error.constructor.name}: ${error.message}`;
  }
}

for (const part of [multiplication, unknownModel, twoTurns, weather]) {
  console.log(`  ${part.name.padEnd(14)} ${await part()}`);
}
