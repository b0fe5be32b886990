// A hundred spans by the SDK's own way to a backend, with its defaults, and an ending that its argument names.
import { setTimeout } from "node:timers/promises";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

const provider = new NodeTracerProvider({
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
const tracer = provider.getTracer("app");
for (let n = 0; n < 100; n++) {
  tracer.startSpan(`span ${n}`).end();
  if (n % 10 === 0) await setTimeout(1);
}
const endings = {
  "nothing at all": () => {},
  "process.exit(3)": () => process.exit(3),
  "an error": () => {
    throw new Error("of the app");
  },
  "a rejection": () => void Promise.reject(new Error("of the app")),
  SIGTERM: () => process.kill(process.pid, "SIGTERM"),
  "SIGINT twice": () => process.kill(process.pid, "SIGINT"),
  SIGKILL: () => process.kill(process.pid, "SIGKILL"),
};
await endings[process.argv[2]]();
