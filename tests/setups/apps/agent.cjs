// An app's own code: a tool loop while it answers a request, with other things around it that it traces itself, and one
// outside of any span. What it is given are its own copies of openai and of the OpenTelemetry API.
const tools = [{ type: "function", function: { name: "add", parameters: { type: "object" } } }];

async function agent({ OpenAI, api }) {
  const { trace, SpanKind } = api;
  const tracer = trace.getTracer("app");
  const client = new OpenAI({ apiKey: "none", baseURL: process.env.BASE_URL, maxRetries: 0 });
  const traced = (name) =>
    tracer.startActiveSpan(name, { kind: SpanKind.CLIENT }, (span) => span.end());

  /** Asks until the model wants no tool any more. */
  async function answer(question, tool) {
    const messages = [{ role: "user", content: question }];
    for (;;) {
      const { choices } = await client.chat.completions.create({ model: "m", messages, tools });
      const [{ message }] = choices;
      messages.push(message);
      if (message.tool_calls === undefined) return messages;
      for (const call of message.tool_calls) {
        messages.push({ role: "tool", tool_call_id: call.id, content: tool() ?? "3" });
      }
    }
  }

  const inRequest = await tracer.startActiveSpan(
    "POST /ask",
    { kind: SpanKind.SERVER },
    async (request) => {
      traced("SELECT user");
      const answered = await answer("one and two?", () => traced("GET /sum"));
      traced("INSERT answer");
      request.end();
      return answered;
    },
  );
  return [inRequest, await answer("two and one?", () => {})];
}

module.exports = { agent };
