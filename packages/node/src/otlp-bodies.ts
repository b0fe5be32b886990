import { createRequire } from "node:module";
import type * as transformer from "@opentelemetry/otlp-transformer";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { redactedSpan } from "@thoughtflow/otlp-exporter";
import { currentRedactor } from "@thoughtflow/tracing/internal";
import type { OtlpConfig } from "./options.ts";

/** Request bodies of spans, by the exporters' own serialiser. */
export interface OtlpBodies {
  readonly bodies: readonly Uint8Array[];
  /** Spans that can't be put into bytes. */
  readonly unserialisable: number;
}

/** Puts spans, redacted, into request bodies of at most a batch each, at once. A span that can't be written costs no other. */
export function otlpBodies(spans: readonly ReadableSpan[], config: OtlpConfig): OtlpBodies {
  const require = createRequire(import.meta.url);
  const serializers: typeof transformer = require("@opentelemetry/otlp-transformer");
  const { serializeRequest } =
    config.protocol === "http/json"
      ? serializers.JsonTraceSerializer
      : serializers.ProtobufTraceSerializer;
  const bodies: Uint8Array[] = [];
  let unserialisable = 0;
  const redactor = currentRedactor();

  function add(batch: readonly ReadableSpan[]): void {
    try {
      const body = serializeRequest(batch.map((span) => redactedSpan(span, redactor)));
      if (body !== undefined) bodies.push(body);
    } catch {
      if (batch.length === 1) {
        unserialisable += 1;
        return;
      }
      const half = Math.ceil(batch.length / 2);
      add(batch.slice(0, half));
      add(batch.slice(half));
    }
  }

  for (let start = 0; start < spans.length; start += config.maxExportBatchSize) {
    add(spans.slice(start, start + config.maxExportBatchSize));
  }
  return { bodies, unserialisable };
}
