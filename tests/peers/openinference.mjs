import { OpenAIInstrumentation } from "@arizeai/openinference-instrumentation-openai";
import OpenAI from "openai";
import { runToolLoop } from "./tool-loop.mjs";
import { provider } from "./tracing.mjs";

new OpenAIInstrumentation({ tracerProvider: provider }).manuallyInstrument(OpenAI);
await runToolLoop(new OpenAI({ maxRetries: 0 }));
await provider.shutdown();
