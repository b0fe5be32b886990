import type { SpanExporter } from "@opentelemetry/sdk-trace-node";
import type { OtlpConfig } from "./options.ts";

/**
 * OpenTelemetry's exporter for the configured protocol. It is loaded here, at the first export, because it takes
 * longer to load than all the rest. Compression and certificates it reads from the environment by itself.
 *
 * @param timeoutMillis how long one export may take, retries included
 */
export async function createOtlpExporter(
  config: OtlpConfig,
  timeoutMillis: number,
): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    config.protocol === "http/json"
      ? await import("@opentelemetry/exporter-trace-otlp-http")
      : await import("@opentelemetry/exporter-trace-otlp-proto");
  return new OTLPTraceExporter({ url: config.url, headers: { ...config.headers }, timeoutMillis });
}
