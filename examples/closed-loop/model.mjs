import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

/** What a weather model says: without a word about units it says all of them, and sees so when it is shown. */
function answerTo(messages) {
  const said = messages.map(({ content }) => String(content ?? "")).join("\n");
  const last = messages.at(-1);
  if (last.role === "tool") {
    const { status, proposal_id } = JSON.parse(last.content);
    return { content: `I have ${status} it: ${proposal_id ?? "it is in force"}.` };
  }
  if (said.includes("Here is your last flow")) {
    const change = { id: "adn.units", content: "Give temperatures in °C alone.", enabled: true };
    const args = JSON.stringify({ ...change, reason: "my last answer named three units" });
    const call = { name: "update_adaptation", arguments: args };
    return { content: null, tool_calls: [{ id: "call_1", type: "function", function: call }] };
  }
  return {
    content: said.includes("in °C alone")
      ? "It is 2 °C in Canberra."
      : "It is 2 °C in Canberra, which is 35.6 °F, or 275.15 K, if you prefer one of those.",
  };
}

/** A server that speaks like chat completions, on a free port of this machine. */
export async function startModel() {
  const server = createServer(async (request, response) => {
    const { messages, tools } = await json(request);
    const message = { role: "assistant", ...answerTo(messages) };
    const [prompt_tokens, completion_tokens] = [{ messages, tools }, message].map((value) =>
      Math.ceil(JSON.stringify(value).length / 4),
    );
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        id: "chatcmpl",
        object: "chat.completion",
        model: "made-up",
        choices: [{ index: 0, finish_reason: message.tool_calls ? "tool_calls" : "stop", message }],
        usage: {
          prompt_tokens,
          completion_tokens,
          total_tokens: prompt_tokens + completion_tokens,
        },
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${server.address().port}/v1`, close: () => server.close() };
}
