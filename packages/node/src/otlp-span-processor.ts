import type { SpanProcessor } from "@opentelemetry/sdk-trace-node";
import {
  createOtlpSpanProcessor as createOwnOtlpSpanProcessor,
  type FlushReport,
} from "@thoughtflow/otlp-exporter";
import { createOfficialOtlpSpanProcessor } from "./official-otlp-span-processor.ts";
import type { OtlpConfig } from "./options.ts";
import { warnAtExit } from "./warn.ts";

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

/** The processor that the configuration asks for. `dir` is the flow directory, absolute: its spool keeps what waits. */
export function createOtlpSpanProcessor(config: OtlpConfig, dir: string): OtlpSpanProcessor {
  return config.exporter === "official"
    ? createOfficialOtlpSpanProcessor(config)
    : createThoughtFlowOtlpSpanProcessor(config, dir);
}

function createThoughtFlowOtlpSpanProcessor(config: OtlpConfig, dir: string): OtlpSpanProcessor {
  const { maxQueueSize, maxExportBatchSize, ...destination } = config;
  const processor = createOwnOtlpSpanProcessor({
    ...destination,
    maxBatchSpans: maxExportBatchSize,
    maxPendingSpans: Math.min(maxQueueSize, 4 * maxExportBatchSize),
    spoolDir: dir,
  });
  return {
    ...processor,
    drainSync() {
      const { unsentSpans, spooledSpans, reason } = processor.drainSync();
      if (unsentSpans === 0) return;
      const { origin, pathname } = new URL(config.url);
      const waits = spooledSpans > 0 ? `; ${spooledSpans} wait in ${dir} for the next start` : "";
      const message = `${unsentSpans} spans were not sent to ${origin}${pathname} (${reason})${waits}.`;
      warnAtExit("THOUGHTFLOW_OTLP_SPANS_DROPPED", message);
    },
    droppedCount: () => Object.values(processor.counts().lost).reduce((sum, n) => sum + n, 0),
  };
}
