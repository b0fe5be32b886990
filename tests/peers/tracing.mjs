// What an app sets up that knows OpenTelemetry and nothing of ThoughtFlow: all spans go to OTEL_EXPORTER_OTLP_ENDPOINT.
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

export const provider = new NodeTracerProvider({
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
provider.register();
