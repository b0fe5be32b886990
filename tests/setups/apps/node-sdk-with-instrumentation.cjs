// No register hook: the instrumentation and the processor as one adds them to any NodeSDK.
const { NodeSDK } = require("@opentelemetry/sdk-node");
const { OpenAIInstrumentation } = require("@thoughtflow/instrumentation-openai");
const { ThoughtFlowSpanProcessor } = require("@thoughtflow/processor");
const { ownProcessor } = require("./own-spans.cjs");

new NodeSDK({
  spanProcessors: [
    new ThoughtFlowSpanProcessor({ dir: process.env.THOUGHTFLOW_DIR }),
    ownProcessor,
  ],
  instrumentations: [new OpenAIInstrumentation()],
}).start();
