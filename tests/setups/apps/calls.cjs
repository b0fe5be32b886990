// The calls of an app, one after the other, and what it got for each as far as it can be compared.
async function calls(OpenAI) {
  const client = new OpenAI({ apiKey: "none", baseURL: process.env.BASE_URL, maxRetries: 0 });
  const messages = [{ role: "user", content: "x" }];
  const chat = (more) => client.chat.completions.create({ model: "m", messages, ...more });
  const respond = (more) => client.responses.create({ model: "m", input: "x", ...more });
  const all = [
    () => chat(),
    () => chat({ stream: true }),
    ...(client.responses ? [() => respond(), () => respond({ stream: true })] : []),
    () => chat(),
    () => loop(client),
  ];
  const outcomes = [];
  for (const call of all) outcomes.push(await outcomeOf(call));
  return outcomes;
}

/** A loop that the SDK turns itself. */
async function loop(client) {
  const tool = {
    name: "add",
    description: "",
    parameters: {},
    parse: JSON.parse,
    function: () => "3",
  };
  const runner = (client.beta.chat ?? client.chat).completions.runTools({
    model: "m",
    messages: [{ role: "user", content: "one and two?" }],
    tools: [{ type: "function", function: tool }],
  });
  return { answer: await runner.finalContent(), messages: runner.messages };
}

async function outcomeOf(call) {
  const chunks = [];
  try {
    const result = await call();
    if (typeof result[Symbol.asyncIterator] !== "function") return { result };
    for await (const chunk of result) chunks.push(chunk);
    return { chunks };
  } catch (error) {
    const { name, message, status, code } = error;
    return { chunks, error: { name, message, status, code, class: error.constructor.name } };
  }
}

module.exports = { calls };
