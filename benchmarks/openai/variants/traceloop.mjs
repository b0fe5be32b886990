import { OpenAIInstrumentation } from "@traceloop/instrumentation-openai";
import OpenAI from "openai";
import { arrivals, nullSpanExporter } from "../null-sink.mjs";
import { inSpan, providerOf } from "../tracing-provider.mjs";

/** Declares openai below 7 and does nothing with 7, silently; this is its way by hand. */
export function start(options) {
  const { provider, settle } = providerOf(nullSpanExporter);
  const instrumentation = new OpenAIInstrumentation({ traceContent: true });
  instrumentation.setTracerProvider(provider);
  instrumentation.manuallyInstrument(OpenAI);
  return { client: new OpenAI(options), settle, inRun: inSpan, recorded: arrivals };
}
