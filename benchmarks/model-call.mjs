// What the model calls of the benchmarks of the pipeline and of OTLP hold.

/** The attributes of a call without content. */
export const model = {
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "openai",
  "gen_ai.request.model": "gpt-4.1-mini",
  "gen_ai.request.temperature": 0.2,
  "gen_ai.request.top_p": 1,
  "gen_ai.request.max_tokens": 1024,
  "gen_ai.request.seed": 7,
  "gen_ai.request.choice.count": 1,
  "gen_ai.response.id": "chatcmpl-1",
  "gen_ai.response.model": "gpt-4.1-mini-2025-04-14",
  "gen_ai.response.finish_reasons": ["stop"],
  "gen_ai.usage.input_tokens": 1000,
  "gen_ai.usage.output_tokens": 200,
  "gen_ai.usage.cache_read.input_tokens": 0,
  "gen_ai.output.type": "text",
  "openai.api.type": "chat_completions",
  "server.address": "api.openai.com",
  "server.port": 443,
  "http.response.status_code": 200,
};

/**
 * The messages of the `number`-th call as JSON: from `shortest` characters to ten times as many, evenly on a
 * logarithmic scale; three in ten are no Latin-1, no two are equal.
 */
export function messages(number, shortest) {
  const length = Math.round(shortest * 10 ** ((number % 20) / 19));
  const sentence =
    number % 10 < 3 ? "Погода сегодня ясная, дорога сухая. " : "All is well on the road today. ";
  const content = `${number}: ${sentence.repeat(Math.ceil(length / sentence.length))}`;
  return JSON.stringify([{ role: "user", parts: [{ type: "text", content }] }]);
}
