import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-node";
import { redactedSpan } from "@thoughtflow/otlp-exporter";
import { currentRedactor } from "@thoughtflow/tracing/internal";

/** `smaller`: not as one request; its halves may be accepted. */
export type Outcome = "accepted" | "smaller" | "rejected" | "unreachable";

/** What became of one batch that was handed to an exporter of OpenTelemetry's. */
export interface ExportResult {
  readonly outcome: Outcome;
  /** What went wrong; absent when accepted. */
  readonly error?: unknown;
}

/** `ExportResultCode.SUCCESS` of @opentelemetry/core, which is loaded with the exporter and not before. */
const succeeded = 0;

/** Exports one batch, redacted, and says what came of it. Never rejects. */
export function exportBatch(
  exporter: SpanExporter,
  batch: readonly ReadableSpan[],
): Promise<ExportResult> {
  return new Promise((resolve) => {
    try {
      const redactor = currentRedactor();
      const spans = batch.map((span) => redactedSpan(span, redactor));
      exporter.export(spans, ({ code, error }) =>
        resolve(
          code === succeeded ? { outcome: "accepted" } : { outcome: outcomeOf(error), error },
        ),
      );
    } catch (error) {
      // A span that can't be put into bytes: smaller batches find it.
      resolve({ outcome: "smaller", error });
    }
  });
}

/** A number in `code` is the HTTP status of a refusal that isn't worth repeating. */
function outcomeOf(error: Error | undefined): Outcome {
  const status = error !== undefined && "code" in error ? error.code : undefined;
  if (typeof status !== "number") return "unreachable";
  return status === 413 ? "smaller" : "rejected";
}
