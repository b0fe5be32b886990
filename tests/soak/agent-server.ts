import { once } from "node:events";
import { createServer } from "node:http";

/**
 * A loopback model for long runs: it asks for one to three tools when the last message is a question that ends in
 * "?", and answers otherwise. What it says follows from what it was asked, so every run of the soak is the same.
 */
export async function startAgentServer(): Promise<{ url: string; close(): void }> {
  let answers = 0;
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { messages, model } = JSON.parse(Buffer.concat(pieces).toString());
    const last = messages.at(-1);
    const n = ++answers;
    const wantsTools = last.role === "user" && String(last.content).endsWith("?");
    const calls = Array.from({ length: 1 + (n % 3) }, (_, i) => ({
      id: `call_${n}_${i}_${"x".repeat(8)}`,
      type: "function",
      function: { name: "look", arguments: JSON.stringify({ n, i }) },
    }));
    const message = wantsTools
      ? { role: "assistant", content: null, tool_calls: calls }
      : { role: "assistant", content: `answer ${n} to ${messages.length} messages` };
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        id: `chatcmpl-${n}`,
        object: "chat.completion",
        model: `${model}-2026`,
        choices: [{ index: 0, message, finish_reason: wantsTools ? "tool_calls" : "stop" }],
        usage: {
          prompt_tokens: messages.length,
          completion_tokens: 1,
          total_tokens: messages.length + 1,
        },
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}
