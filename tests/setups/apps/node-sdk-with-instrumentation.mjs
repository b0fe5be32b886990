// The instrumentation, and the processor, as one adds them to any NodeSDK.
import { NodeSDK } from "@opentelemetry/sdk-node";
import { OpenAIInstrumentation } from "@thoughtflow/instrumentation-openai";
import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
import { ownProcessor } from "./own-spans.cjs";

const ours = process.env.WITH_PROCESSOR
  ? [new ThoughtFlowSpanProcessor({ dir: process.env.THOUGHTFLOW_DIR })]
  : [];
new NodeSDK({
  spanProcessors: [...ours, ownProcessor],
  instrumentations: [new OpenAIInstrumentation()],
}).start();
