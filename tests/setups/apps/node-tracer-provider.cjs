const { NodeTracerProvider } = require("@opentelemetry/sdk-trace-node");
const { ThoughtFlowSpanProcessor } = require("@thoughtflow/processor");
const { ownProcessor } = require("./own-spans.cjs");

const ours = process.env.WITH_PROCESSOR
  ? [new ThoughtFlowSpanProcessor({ dir: process.env.THOUGHTFLOW_DIR })]
  : [];
new NodeTracerProvider({ spanProcessors: [ownProcessor, ...ours] }).register();
