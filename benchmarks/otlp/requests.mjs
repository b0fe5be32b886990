import { encodeProtobufRequest } from "@thoughtflow/otlp";
import { messages, model } from "../model-call.mjs";

const TRACES = 32;
const CHILDREN = 15;
/** How many spans a request has. */
export const SPANS = TRACES * (1 + CHILDREN);

/** The characters of the shortest messages: 2 KiB and some; the longest are 20 and some. */
const SHORTEST = 2480;

const scope = { name: "benchmark", version: "1.0.0" };
const resource = { attributes: { "service.name": "benchmark", "process.pid": 7 } };

/** By what they hold, how the attributes of the n-th span are made. */
export const KINDS = {
  small: () => model,
  large: (number) =>
    number < TRACES || number % 5 < 3
      ? { ...model, "gen_ai.input.messages": messages(number, SHORTEST) }
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
      attributes: {
        ...KINDS[kind](number),
        // Each a call of its own, or metrics would count one for all.
        "gen_ai.response.id": `chatcmpl-${base * SPANS + number}`,
        "session.id": `session ${base} ${trace}`,
      },
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
