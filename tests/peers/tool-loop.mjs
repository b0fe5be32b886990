// An agent that asks, runs the tools it is told to, and asks again, inside a span of its own.
import { trace } from "@opentelemetry/api";

export const question = "Can the country of Crumpet have dragons? Answer with only YES or NO";
export const tools = {
  lookup_population: ({ country }) => String({ Crumpet: 123124 }[country] ?? 0),
  can_have_dragons: ({ population }) => String(population > 10000),
};
const parameters = { type: "object", properties: {} };

export function runToolLoop(client) {
  return inSpan(async () => {
    const described = Object.keys(tools).map((name) => ({
      type: "function",
      function: { name, parameters },
    }));
    const messages = [{ role: "user", content: question }];
    for (;;) {
      const request = { model: "gpt-4o-mini", messages, tools: described };
      const { choices } = await client.chat.completions.create(request);
      const { message } = choices[0];
      messages.push(message);
      if (!message.tool_calls) return;
      for (const { id, function: called } of message.tool_calls) {
        const content = tools[called.name](JSON.parse(called.arguments));
        messages.push({ role: "tool", tool_call_id: id, content });
      }
    }
  });
}

/** One trace, in the session that a receiver is to file it under. */
export function inSpan(work) {
  const attributes = { "session.id": process.env.SESSION_ID };
  return trace.getTracer("app").startActiveSpan("answer", { attributes }, async (span) => {
    await work();
    span.end();
  });
}
