import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
import { ownProcessor } from "./own-spans.cjs";

const ours = process.env.WITH_PROCESSOR
  ? [new ThoughtFlowSpanProcessor({ dir: process.env.THOUGHTFLOW_DIR })]
  : [];
new NodeTracerProvider({ spanProcessors: [ownProcessor, ...ours] }).register();
