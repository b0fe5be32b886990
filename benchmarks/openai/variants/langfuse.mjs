import { observeOpenAI } from "@langfuse/openai";
import OpenAI from "openai";
import { arrivals, nullSpanExporter } from "../null-sink.mjs";
import { inSpan, providerOf } from "../tracing-provider.mjs";

export function start(options) {
  const { settle } = providerOf(nullSpanExporter);
  return {
    client: observeOpenAI(new OpenAI(options)),
    settle,
    inRun: inSpan,
    recorded: arrivals,
  };
}
