import type { SpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { FlushReport } from "@thoughtflow/otlp-exporter";

/** Sends ended spans in batches, one request at a time, and loses none at the end of the process. */
export interface OtlpSpanProcessor extends SpanProcessor {
  /** What `forceFlush` does, and what came of it. */
  flush(): Promise<FlushReport>;
  /** Sends what waits, within the two seconds that the end of a process may take; `undefined` when nothing waits. */
  flushBeforeExit(): Promise<void> | undefined;
  /** The same without the event loop, when it has already stopped. Tells what could not be sent. */
  drainSync(): void;
  /** Sampled spans that will never arrive, so far. */
  droppedCount(): number;
}
