import { OpenAIInstrumentation } from "@arizeai/openinference-instrumentation-openai";
import OpenAI from "openai";
import { arrivals, nullSpanExporter } from "../null-sink.mjs";
import { inSpan, providerOf } from "../tracing-provider.mjs";

/** Auto-patching gave no spans with this version of openai in an ES module; this is its way by hand. */
export function start(options) {
  const { provider, settle } = providerOf(nullSpanExporter);
  new OpenAIInstrumentation({ tracerProvider: provider }).manuallyInstrument(OpenAI);
  return { client: new OpenAI(options), settle, inRun: inSpan, recorded: arrivals };
}
