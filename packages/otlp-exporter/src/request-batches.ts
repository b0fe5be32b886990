import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { REQUEST_FORMATS, type RequestFormat } from "@thoughtflow/otlp";
import { currentRedactor } from "@thoughtflow/tracing/internal";
import type { OtlpExporterConfig } from "./options.ts";
import { redactedSpan } from "./redacted-span.ts";

/** A request and how many spans are in it. */
export interface RequestBatch {
  readonly body: Uint8Array;
  readonly spans: number;
}

/**
 * Ended spans, redacted, as requests within the limits of count and bytes. A span that throws when it is read is left
 * out, and costs no other.
 *
 * @param onUnreadable called for each span that is left out
 */
export function requestBatches(
  spans: readonly ReadableSpan[],
  config: OtlpExporterConfig,
  onUnreadable: () => void,
): readonly RequestBatch[] {
  const format = REQUEST_FORMATS[config.protocol];
  const readable = spans.flatMap((span) => {
    try {
      return [redactedSpan(span, currentRedactor())];
    } catch {
      onUnreadable();
      return [];
    }
  });
  const batches: RequestBatch[] = [];
  for (let start = 0; start < readable.length; start += config.maxBatchSpans) {
    const batch = readable.slice(start, start + config.maxBatchSpans);
    for (const whole of encoded(batch, format, onUnreadable)) {
      batches.push(...withinBytes(whole, format, config.maxBatchBytes));
    }
  }
  return batches;
}

/** One request, or more where a span among them can't be encoded: halves find it. */
function encoded(
  spans: readonly ReadableSpan[],
  format: RequestFormat,
  onUnreadable: () => void,
): readonly RequestBatch[] {
  try {
    return [{ body: format.encode(spans), spans: spans.length }];
  } catch {
    if (spans.length === 1) {
      onUnreadable();
      return [];
    }
    const middle = Math.ceil(spans.length / 2);
    const halves = [spans.slice(0, middle), spans.slice(middle)];
    return halves.flatMap((half) => encoded(half, format, onUnreadable));
  }
}

/** Halves and halves of halves, until each is small enough or a single span. */
function withinBytes(
  batch: RequestBatch,
  format: RequestFormat,
  maxBytes: number,
): readonly RequestBatch[] {
  if (batch.body.length <= maxBytes) return [batch];
  const halves = halvesOf(batch, format);
  return halves?.flatMap((half) => withinBytes(half, format, maxBytes)) ?? [batch];
}

/** The two halves of a request, the first the larger one; `undefined` for a single span. */
export function halvesOf(
  { body, spans }: RequestBatch,
  format: RequestFormat,
): readonly [RequestBatch, RequestBatch] | undefined {
  const halves = format.split(body);
  if (halves === undefined) return undefined;
  return [
    { body: halves[0], spans: Math.ceil(spans / 2) },
    { body: halves[1], spans: Math.floor(spans / 2) },
  ];
}
