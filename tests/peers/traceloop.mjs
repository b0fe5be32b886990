import { OpenAIInstrumentation } from "@traceloop/instrumentation-openai";
import OpenAI from "openai";
import { runToolLoop } from "./tool-loop.mjs";
import { provider } from "./tracing.mjs";

const instrumentation = new OpenAIInstrumentation({ traceContent: true });
instrumentation.setTracerProvider(provider);
instrumentation.manuallyInstrument(OpenAI);
await runToolLoop(new OpenAI({ maxRetries: 0 }));
await provider.shutdown();
