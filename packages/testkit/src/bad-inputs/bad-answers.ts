import { type BadInput, item } from "./bad-input.ts";

/** Bodies with which an endpoint for chat completions may answer: JSON, or text of server-sent events. */
export const badAnswers: readonly BadInput<object | string>[] = [
  ...item<object | string>(
    172,
    "answers that lack something or have too much",
    { choices: null },
    { choices: [] },
    { choices: [null] },
    {},
    completion({ content: "hi" }, { usage: undefined }),
    completion({ content: "hi" }, { usage: { prompt_tokens: "many" } }),
    completion({ tool_calls: [toolCall(0, '{"city": ')] }),
    completion({
      tool_calls: Array.from({ length: 10_000 }, (_, n) => toolCall(n, "{}")),
    }),
    completion({ content: "hi" }, { choices: [{ logprobs: { content: manyLogprobs() } }] }),
    { error: { message: "no", type: "invalid_request_error" } },
    events({ choices: [{ index: 0, delta: { content: "é😀" } }] }, "[DONE]"),
    events({ choices: [{ index: 0, delta: { content: "no end" } }] }),
    events({ error: { message: "in the middle" } }),
    "data: {broken\n\n",
  ),
  ...item<object | string>(
    173,
    "streams of nothing",
    events("[DONE]"),
    "",
    events({ choices: [{ index: 0, delta: {}, finish_reason: null }] }, "[DONE]"),
    events({ choices: [] }, "[DONE]"),
  ),
];

function completion(message: object, more: object = {}): object {
  const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", ...message } }];
  return { id: "chatcmpl-1", object: "chat.completion", model: "m", choices, ...more };
}

function toolCall(n: number, args: string): object {
  return { id: `call_${n}`, type: "function", function: { name: "look", arguments: args } };
}

function manyLogprobs(): readonly object[] {
  return Array.from({ length: 5_000 }, () => ({ token: "x", logprob: -1, bytes: [120] }));
}

function events(...chunks: readonly (object | string)[]): string {
  return chunks
    .map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`)
    .join("");
}
