import { encodeProtobufRequest } from "@thoughtflow/otlp";

const TRACES = 32;
const CHILDREN = 15;
/** How many spans a request has. */
export const SPANS = TRACES * (1 + CHILDREN);

/** Message JSON between 2 and 20 KiB and some, evenly on a logarithmic scale; three in ten are no Latin-1. */
function messages(number) {
  const length = Math.round(2480 * 10 ** ((number % 20) / 19));
  const sentence =
    number % 10 < 3 ? "Погода сегодня ясная, дорога сухая. " : "All is well on the road today. ";
  const content = `${number}: ${sentence.repeat(Math.ceil(length / sentence.length))}`;
  return JSON.stringify([{ role: "user", parts: [{ type: "text", content }] }]);
}

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
  "server.address": "api.openai.com",
  "server.port": 443,
  "http.response.status_code": 200,
};

const scope = { name: "benchmark", version: "1.0.0" };
const resource = { attributes: { "service.name": "benchmark", "process.pid": 7 } };

/** By what they hold, how the attributes of the n-th span are made. */
export const KINDS = {
  small: () => model,
  large: (number) =>
    number < TRACES || number % 5 < 3
      ? { ...model, "gen_ai.input.messages": messages(number) }
      : model,
};

/**
 * The spans of a request: traces side by side, each a root and its children, every trace a session of its own.
 * `base` tells requests apart: none of their ids are equal.
 */
export function spansOf(kind, base = 0) {
  const id = (digits, number) => (number + 1 + base * SPANS).toString(16).padStart(digits, "0");
  return Array.from({ length: SPANS }, (_, number) => {
    const trace = number % TRACES;
    const isRoot = number < TRACES;
    const context = { traceId: id(32, trace), spanId: id(16, number), traceFlags: 1 };
    const start = 1_767_225_600 + base;
    return {
      name: isRoot ? "invoke_agent" : "chat gpt-4.1-mini",
      kind: isRoot ? 0 : 2,
      spanContext: () => context,
      ...(!isRoot && {
        parentSpanContext: { traceId: context.traceId, spanId: id(16, trace), traceFlags: 1 },
      }),
      startTime: [start, number * 1_000_000],
      endTime: [start, number * 1_000_000 + 800_000],
      status: { code: 0 },
      attributes: { ...KINDS[kind](number), "session.id": `session ${base} ${trace}` },
      links: [],
      events: [],
      resource,
      instrumentationScope: scope,
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  });
}

/** A request in protobuf. */
export function requestOf(kind, base) {
  return Buffer.from(encodeProtobufRequest(spansOf(kind, base)));
}
