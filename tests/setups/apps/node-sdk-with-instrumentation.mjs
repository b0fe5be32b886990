// No register hook: the instrumentation and the processor as one adds them to any NodeSDK.
import { NodeSDK } from "@opentelemetry/sdk-node";
import { OpenAIInstrumentation } from "@thoughtflow/instrumentation-openai";
import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
import { ownProcessor } from "./own-spans.cjs";

new NodeSDK({
  spanProcessors: [
    new ThoughtFlowSpanProcessor({ dir: process.env.THOUGHTFLOW_DIR }),
    ownProcessor,
  ],
  instrumentations: [new OpenAIInstrumentation()],
}).start();
