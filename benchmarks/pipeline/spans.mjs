import { ROOT_CONTEXT, SpanKind, trace } from "@opentelemetry/api";
import { messages, model } from "../model-call.mjs";

const TRACES = 32;
const CHILDREN = 15;

/** How many spans one batch has. */
export const BATCH = TRACES * (1 + CHILDREN);

let written = 0;

const call = { ...model, "openai.response.service_tier": "default" };

const request = {
  ...Object.fromEntries(Object.keys(call).map((_, index) => [`http.detail.${index}`, "detail"])),
  "http.request.method": "GET",
};

/** Each prepares a batch: the attributes of its spans, in the order in which they start. */
export const kinds = {
  "model calls without content, 20 attributes": () => Array(BATCH).fill(call),
  "the same, 3 in 5 with 2–20 KiB of messages": () =>
    Array.from({ length: BATCH }, (_, index) =>
      index % 5 < 3 ? { ...call, "gen_ai.input.messages": messages(++written, 2048) } : call,
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
