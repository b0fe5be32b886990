import { trace } from "@opentelemetry/api";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

/** More than a block makes: a queue that drops would be the cheapest of all. */
export const QUEUE = 2 ** 17;

/** Nothing is sent by the clock: what waits is what a benchmark looks at, however slow the machine. */
const NEVER = 2 ** 31 - 1;

/** A provider whose spans go, in batches, to an exporter. Further processors come first. */
export function providerOf(exporter, ...first) {
  const batches = new BatchSpanProcessor(exporter, {
    maxQueueSize: QUEUE,
    scheduledDelayMillis: NEVER,
  });
  const provider = new NodeTracerProvider({ spanProcessors: [...first, batches] });
  provider.register();
  return { provider, settle: () => batches.forceFlush() };
}

/** Opens a span of the app around some work. */
export function inSpan(work) {
  return trace.getTracer("app").startActiveSpan("run", async (span) => {
    await work();
    span.end();
  });
}
