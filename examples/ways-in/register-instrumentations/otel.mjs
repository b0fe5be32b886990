import { registerInstrumentations } from "@opentelemetry/instrumentation";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { OpenAIInstrumentation } from "@thoughtflow/instrumentation-openai";
import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";

const provider = new NodeTracerProvider({ spanProcessors: [new ThoughtFlowSpanProcessor()] });
provider.register();
registerInstrumentations({ instrumentations: [new OpenAIInstrumentation()] });
process.once("beforeExit", () => provider.shutdown());
