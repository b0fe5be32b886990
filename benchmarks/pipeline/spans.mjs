import { ROOT_CONTEXT, SpanKind, trace } from "@opentelemetry/api";

const TRACES = 32;
const CHILDREN = 15;

/** How many spans one batch has. */
export const BATCH = TRACES * (1 + CHILDREN);

/** Message JSON between 2 and 20 KiB, evenly on a logarithmic scale; three in ten are no Latin-1, no two are equal. */
function messages(number) {
  const length = Math.round(2048 * 10 ** ((number % 20) / 19));
  const sentence =
    number % 10 < 3 ? "Погода сегодня ясная, дорога сухая. " : "All is well on the road today. ";
  const content = `${number}: ${sentence.repeat(Math.ceil(length / sentence.length))}`;
  return JSON.stringify([{ role: "user", parts: [{ type: "text", content }] }]);
}

let written = 0;

const model = {
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
  "openai.response.service_tier": "default",
  "server.address": "api.openai.com",
  "server.port": 443,
  "http.response.status_code": 200,
};

const request = {
  ...Object.fromEntries(Object.keys(model).map((_, index) => [`http.detail.${index}`, "detail"])),
  "http.request.method": "GET",
};

/** Each prepares a batch: the attributes of its spans, in the order in which they start. */
export const kinds = {
  "model calls without content, 20 attributes": () => Array(BATCH).fill(model),
  "the same, 3 in 5 with 2–20 KiB of messages": () =>
    Array.from({ length: BATCH }, (_, index) =>
      index % 5 < 3 ? { ...model, "gen_ai.input.messages": messages(++written) } : model,
    ),
  "other work, 20 attributes (leaves no file)": () => Array(BATCH).fill(request),
};

/** Starts and ends a batch of spans: traces side by side, each a root with its children. */
export function produce(tracer, attributes) {
  let started = 0;
  const roots = Array.from({ length: TRACES }, () =>
    tracer.startSpan("invoke_agent", { attributes: attributes[started++], root: true }),
  );
  const contexts = roots.map((root) => trace.setSpan(ROOT_CONTEXT, root));
  for (let child = 1; child <= CHILDREN; child += 1) {
    for (const parent of contexts) {
      const span = tracer.startSpan(
        "chat gpt-4.1-mini",
        { kind: SpanKind.CLIENT, attributes: attributes[started++] },
        parent,
      );
      span.end();
    }
  }
  for (const root of roots) root.end();
}
