import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { afterEach } from "vitest";
import { contentAttributesOf, contentOf } from "../src/internal.ts";

/** What the spans of a test are told to; empty again after each. */
export const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();

afterEach(() => exporter.reset());

/** The only span of this name. */
export function spanNamed(name: string): ReadableSpan {
  const found = exporter.getFinishedSpans().filter((span) => span.name === name);
  const [span] = found;
  if (span === undefined || found.length > 1) throw new Error(`${found.length} spans ${name}`);
  return span;
}

/** Span names as a tree, in the order in which they began. */
export function tree(): unknown {
  const spans = exporter.getFinishedSpans().toSorted((a, b) => compare(a.startTime, b.startTime));
  const under = (parent: string | undefined): unknown[] =>
    spans
      .filter((span) => span.parentSpanContext?.spanId === parent)
      .map((span) => {
        const below = under(span.spanContext().spanId);
        return below.length === 0 ? span.name : { [span.name]: below };
      });
  return under(undefined);
}

const compare = (a: [number, number], b: [number, number]): number => a[0] - b[0] || a[1] - b[1];

/** What a span keeps beside its attributes, by attribute name. */
export function contentOfSpan(name: string): Record<string, unknown> {
  const content = contentOf(spanNamed(name));
  if (content === undefined) return {};
  return Object.fromEntries(
    Object.entries(contentAttributesOf(content)).map(([key, text]) => [
      key,
      JSON.parse(String(text)),
    ]),
  );
}
