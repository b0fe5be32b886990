import { createOtlpSpanProcessor as createOwnOtlpSpanProcessor } from "@thoughtflow/otlp-exporter";
import type { OtlpSpanProcessor } from "./flushed-span-processor.ts";
import { createOfficialOtlpSpanProcessor } from "./official-otlp-span-processor.ts";
import type { OtlpConfig } from "./options.ts";
import { warnAtExit } from "./warn.ts";

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
