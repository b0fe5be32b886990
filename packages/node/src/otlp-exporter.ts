import { context, ROOT_CONTEXT } from "@opentelemetry/api";
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
  const { suppressTracing } = await import("@opentelemetry/core");
  const { OTLPTraceExporter } =
    config.protocol === "http/json"
      ? await import("@opentelemetry/exporter-trace-otlp-http")
      : await import("@opentelemetry/exporter-trace-otlp-proto");
  const headers = { ...config.headers };
  const exporter = new OTLPTraceExporter({ url: config.url, headers, timeoutMillis });
  // Its own requests must not become spans, nor hold on to whatever the app's context refers to.
  const quiet = suppressTracing(ROOT_CONTEXT);
  return {
    export: (spans, done) => context.with(quiet, () => exporter.export(spans, done)),
    shutdown: () => exporter.shutdown(),
  };
}
