import { type BadInput, item } from "./bad-input.ts";

const TRACEPARENT = `00-${"a".repeat(32)}-${"b".repeat(16)}`;

/** Headers with which a request may come from somebody whom nobody knows. */
export const badCarriers: readonly BadInput<Readonly<Record<string, string | string[]>>>[] = [
  ...item(
    54,
    "a trace parent that is none",
    { traceparent: `00-${"a".repeat(31)}-${"b".repeat(16)}-01` },
    { traceparent: `ff-${"a".repeat(32)}-${"b".repeat(16)}-01` },
    { traceparent: `00-${"0".repeat(32)}-${"0".repeat(16)}-01` },
    { traceparent: "" },
    { traceparent: [`${TRACEPARENT}-01`, `${TRACEPARENT}-00`] },
  ),
  ...item(
    55,
    "a trace state that is too long",
    { traceparent: `${TRACEPARENT}-01`, tracestate: `a=${"x".repeat(600)}` },
    {
      traceparent: `${TRACEPARENT}-01`,
      tracestate: Array.from({ length: 33 }, (_, n) => `k${n}=v`).join(),
    },
  ),
  ...item(
    163,
    "too much baggage",
    { baggage: `a=${"x".repeat(8_193)}` },
    { baggage: Array.from({ length: 181 }, (_, n) => `k${n}=v`).join() },
    { baggage: ["a=1", "a=2"] },
    { baggage: "%%%=%zz,,;;=" },
  ),
  ...item(164, "baggage that names what is ours", {
    baggage:
      "session.id=stolen,thoughtflow.run.id=stolen,user.id=root,gen_ai.conversation.id=stolen,otel.exporter.otlp.endpoint=http://evil.example",
  }),
  ...item(165, "a trace that the caller wants to be sampled", {
    traceparent: `${TRACEPARENT}-01`,
    tracestate: "thoughtflow=1",
  }),
];
