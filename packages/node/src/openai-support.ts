import type { TracerProvider } from "@opentelemetry/api";
import { trace } from "@opentelemetry/api";
import type { OpenAIInstrumentationOptions } from "@thoughtflow/instrumentation-openai";
import { instrumentOpenAI } from "@thoughtflow/instrumentation-openai";
import type { OpenAISupport } from "./late-instrumentation.ts";
import { createLateTracerProvider } from "./late-tracer-provider.ts";
import type { ThoughtFlowConfig } from "./options.ts";
import { processSingleton } from "./process-singleton.ts";

/**
 * The process's support of openai, made by the first who asks.
 *
 * @param onFirstCall is called when a span starts while nothing is connected, and is to call `connect`
 */
export function openaiSupport(
  config: ThoughtFlowConfig,
  onFirstCall: () => void = () => {},
): OpenAISupport {
  const singleton = processSingleton();
  singleton.openai ??= createOpenAISupport(config, onFirstCall);
  return singleton.openai;
}

function createOpenAISupport(config: ThoughtFlowConfig, onFirstCall: () => void): OpenAISupport {
  let connected: TracerProvider | undefined;
  const options: OpenAIInstrumentationOptions = {
    tracerProvider: createLateTracerProvider(() => {
      if (connected === undefined) onFirstCall();
      return connected ?? trace.getTracerProvider();
    }),
    derivedRuns: config.derivedRuns,
    captureContentOnSpans: config.captureContentOnSpans,
    captureContentInLogs: config.captureContentInLogs,
    legacyNames: config.legacyNames,
    ...(config.sessionId !== undefined && { sessionId: config.sessionId }),
  };
  return {
    observe(openai) {
      instrumentOpenAI(openai, options);
    },
    connect(provider) {
      connected = provider;
    },
  };
}
