// Not the globals, which a test of the application may have replaced.
import { clearTimeout, setTimeout } from "node:timers";
import { diag, TraceFlags } from "@opentelemetry/api";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-node";
import { sendAtExit } from "@thoughtflow/otlp-exporter";
import type { OtlpSpanProcessor } from "./flushed-span-processor.ts";
import type { OtlpConfig } from "./options.ts";
import { otlpBodies } from "./otlp-bodies.ts";
import { type ExportResult, exportBatch, type Outcome } from "./otlp-export.ts";
import { createOtlpExporter } from "./otlp-exporter.ts";
import { warn, warnAtExit } from "./warn.ts";

/** The whole of the process's end waits for the network no longer than this. */
const exitPatienceMillis = 2_000;
/** How long the first attempt may take: the exporter's retries would keep an app alive that has nothing else to do. */
const firstPatienceMillis = 2_000;
const longestPauseMillis = 60_000;

/** Parts that tests replace to inject faults. */
export interface OfficialOtlpParts {
  readonly createExporter?: typeof createOtlpExporter;
  readonly sendAtExit?: typeof sendAtExit;
}

/**
 * A span processor in front of OpenTelemetry's own exporters. The SDK's batching processor loses what it holds when
 * the process ends, and its `forceFlush` doesn't wait for a request that is under way; this one keeps both promises.
 *
 * Spans of a receiver that is away stay in the queue and are tried again; a span that doesn't fit into the queue or
 * that the receiver refuses is dropped, counted, and told about once per outage. Never throws.
 */
export function createOfficialOtlpSpanProcessor(
  config: OtlpConfig,
  parts: OfficialOtlpParts = {},
): OtlpSpanProcessor {
  const exporters = new Map<number, SpanExporter>();
  let queue: ReadableSpan[] = [];
  let inFlight: readonly ReadableSpan[] = [];
  let sending: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let batchLimit = config.maxExportBatchSize;
  let patienceMillis = firstPatienceMillis;
  let failures = 0;
  let dropped = 0;
  let lastError = "";
  let hasToldOfDrops = false;
  let isShutDown = false;

  function schedule(delayMillis: number): void {
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      void drain(config.timeoutMillis);
    }, delayMillis);
    timer.unref();
  }

  function drain(timeoutMillis: number): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendQueue(timeoutMillis).finally(() => {
      sending = undefined;
    });
    return sending;
  }

  async function sendQueue(timeoutMillis: number): Promise<void> {
    while (queue.length > 0) {
      inFlight = queue.splice(0, batchLimit);
      const outcome = await send(inFlight, Math.min(timeoutMillis, patienceMillis));
      settle(outcome, inFlight);
      inFlight = [];
      if (outcome === "unreachable") {
        schedule(Math.min(1_000 * 2 ** (failures - 1), longestPauseMillis));
        return;
      }
    }
  }

  function settle(outcome: Outcome, batch: readonly ReadableSpan[]): void {
    switch (outcome) {
      case "accepted":
        failures = 0;
        patienceMillis = config.timeoutMillis;
        hasToldOfDrops = false;
        batchLimit = Math.min(batchLimit * 2, config.maxExportBatchSize);
        return;
      case "smaller":
        if (batch.length === 1) {
          drop(1, "a request with that one span alone is refused");
          return;
        }
        batchLimit = Math.ceil(batch.length / 2);
        queue = [...batch, ...queue];
        return;
      case "rejected":
        drop(batch.length, "the receiver refuses them");
        return;
      case "unreachable": {
        // A receiver that isn't there is asked briefly, one that may only be slow longer each time.
        patienceMillis = failures === 0 ? firstPatienceMillis : patienceMillis * 2;
        failures += 1;
        const room = config.maxQueueSize - queue.length;
        queue = [...batch.slice(Math.max(0, batch.length - room)), ...queue];
        if (batch.length > room) drop(batch.length - room, "the queue is full");
        return;
      }
    }
  }

  function drop(count: number, reason: string): void {
    dropped += count;
    if (hasToldOfDrops) return;
    hasToldOfDrops = true;
    warn("THOUGHTFLOW_OTLP_SPANS_DROPPED", `Spans for ${place(config)} are lost: ${reason}.`);
  }

  async function send(batch: readonly ReadableSpan[], timeoutMillis: number): Promise<Outcome> {
    const { outcome, error } = await exporterFor(timeoutMillis).then(
      (exporter) => exportBatch(exporter, batch),
      (reason: unknown): ExportResult => ({ outcome: "unreachable", error: reason }),
    );
    lastError = error instanceof Error ? error.message : String(error);
    if (outcome !== "accepted") diag.warn("ThoughtFlow: OTLP export failed", error);
    const isBad = outcome === "rejected" || outcome === "unreachable";
    if (isBad && failures === 0) {
      warn(
        "THOUGHTFLOW_OTLP_EXPORT_FAILED",
        `Spans can't be sent to ${place(config)}: ${lastError}`,
      );
    }
    return outcome;
  }

  async function exporterFor(timeoutMillis: number): Promise<SpanExporter> {
    const present = exporters.get(timeoutMillis);
    if (present !== undefined) return present;
    const exporter = await (parts.createExporter ?? createOtlpExporter)(config, timeoutMillis);
    exporters.set(timeoutMillis, exporter);
    return exporter;
  }

  async function flush(timeoutMillis: number): Promise<void> {
    await sending;
    if (queue.length > 0) await drain(timeoutMillis);
  }

  /** How many of the spans could not be sent. */
  function sendNow(spans: readonly ReadableSpan[]): number {
    const { bodies, unserialisable } = otlpBodies(spans, config);
    const accepted = (parts.sendAtExit ?? sendAtExit)(config, bodies, exitPatienceMillis);
    return accepted.every(Boolean) ? unserialisable : spans.length;
  }

  return {
    onStart() {},
    onEnd(span) {
      if (isShutDown || (span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
      if (queue.length >= config.maxQueueSize) {
        drop(1, "the queue is full");
        return;
      }
      queue.push(span);
      if (failures > 0) return;
      if (queue.length === batchLimit) {
        clearTimeout(timer);
        timer = undefined;
        schedule(0);
      } else schedule(config.scheduleDelayMillis);
    },
    async flush() {
      await flush(config.timeoutMillis);
      const unsentSpans = queue.length + inFlight.length;
      return { unsentSpans, ...(unsentSpans > 0 && { reason: lastError }) };
    },
    forceFlush: () => flush(config.timeoutMillis),
    flushBeforeExit: () =>
      queue.length + inFlight.length === 0
        ? undefined
        : flush(Math.min(config.timeoutMillis, exitPatienceMillis)),
    drainSync() {
      const spans = [...inFlight, ...queue];
      queue = [];
      clearTimeout(timer);
      if (spans.length > 0) dropped += failures === 0 ? sendNow(spans) : spans.length;
      if (dropped > 0) {
        const message = `${dropped} spans were not sent to ${place(config)}.`;
        warnAtExit("THOUGHTFLOW_OTLP_SPANS_DROPPED", message);
        dropped = 0;
      }
    },
    droppedCount: () => dropped,
    async shutdown() {
      if (isShutDown) return;
      await flush(config.timeoutMillis);
      isShutDown = true;
      await Promise.allSettled(Array.from(exporters.values(), (exporter) => exporter.shutdown()));
    },
  };
}

/** The receiver without the credentials that a URL may hold. */
function place({ url }: OtlpConfig): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
