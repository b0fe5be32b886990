// Several instrumentations on one client, the first named innermost.
import { OpenAIInstrumentation as Openinference } from "@arizeai/openinference-instrumentation-openai";
import { observeOpenAI } from "@langfuse/openai";
import { OpenAIInstrumentation as Traceloop } from "@traceloop/instrumentation-openai";
import OpenAI from "openai";
import { runToolLoop } from "./tool-loop.mjs";
import { provider } from "./tracing.mjs";

const layers = process.argv.slice(2);
for (const layer of layers) {
  if (layer === "openinference")
    new Openinference({ tracerProvider: provider }).manuallyInstrument(OpenAI);
  if (layer !== "traceloop") continue;
  const instrumentation = new Traceloop({ traceContent: true });
  instrumentation.setTracerProvider(provider);
  instrumentation.manuallyInstrument(OpenAI);
}
const client = new OpenAI({ maxRetries: 0 });
await runToolLoop(layers.includes("langfuse") ? observeOpenAI(client) : client);
await provider.shutdown();
