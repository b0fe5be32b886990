import { type Exchange, toExchange } from "@thoughtflow/testkit";

/** What an OpenAI chat model answers with this message; with tool calls in it, it waits for their results. */
export function completion(message: Readonly<Record<string, unknown>>): Exchange {
  const finish_reason = message["tool_calls"] === undefined ? "stop" : "tool_calls";
  return toExchange("/v1/chat/completions", {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "m-1",
    choices: [{ index: 0, finish_reason, message: { role: "assistant", ...message } }],
    usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
  });
}

/** The two answers of a tool loop: call `name` with these arguments, then `content`. */
export function toolLoop(
  callId: string,
  name: string,
  content: string,
  args = "{}",
): readonly Exchange[] {
  const call = { id: callId, type: "function", function: { name, arguments: args } };
  return [completion({ content: null, tool_calls: [call] }), completion({ content })];
}
