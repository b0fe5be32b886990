import { SpanKind, trace } from "@opentelemetry/api";
import OpenAI from "openai";
import { arrivals, nullSpanExporter } from "../null-sink.mjs";
import { inSpan, providerOf } from "../tracing-provider.mjs";

const attributes = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [
    `gen_ai.attribute.${index}`,
    index % 2 === 0 ? index : `value ${index}`,
  ]),
);

/** One span a call with 20 attributes and no content: the least that a span of OpenTelemetry costs. */
export function traced(client, tracer) {
  for (const resource of [client.chat.completions, client.responses]) {
    const create = resource.create;
    resource.create = function traced(...args) {
      return tracer.startActiveSpan("chat", { kind: SpanKind.CLIENT, attributes }, (span) => {
        const answer = create.apply(this, args);
        answer.then(
          () => span.end(),
          () => span.end(),
        );
        return answer;
      });
    };
  }
  return client;
}

/** The same, and where no span is around the call a root of its own around both, as a derived run is one. */
export function tracedWithRoot(client, tracer) {
  for (const resource of [client.chat.completions, client.responses]) {
    const create = resource.create;
    resource.create = function traced(...args) {
      if (trace.getActiveSpan() !== undefined) return create.apply(this, args);
      return tracer.startActiveSpan("invoke_agent", (root) => {
        const answer = create.apply(this, args);
        answer.then(
          () => root.end(),
          () => root.end(),
        );
        return answer;
      });
    };
  }
  return client;
}

export function start(options) {
  const { settle } = providerOf(nullSpanExporter);
  const client = traced(new OpenAI(options), trace.getTracer("pure"));
  return { client, settle, inRun: inSpan, recorded: arrivals };
}
