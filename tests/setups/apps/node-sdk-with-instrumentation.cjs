// The instrumentation, and the processor, as one adds them to any NodeSDK.
const { NodeSDK } = require("@opentelemetry/sdk-node");
const { OpenAIInstrumentation } = require("@thoughtflow/instrumentation-openai");
const { ThoughtFlowSpanProcessor } = require("@thoughtflow/processor");
const { ownProcessor } = require("./own-spans.cjs");

const ours = process.env.WITH_PROCESSOR
  ? [new ThoughtFlowSpanProcessor({ dir: process.env.THOUGHTFLOW_DIR })]
  : [];
new NodeSDK({
  spanProcessors: [...ours, ownProcessor],
  instrumentations: [new OpenAIInstrumentation()],
}).start();
