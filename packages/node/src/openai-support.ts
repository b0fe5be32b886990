import type { TracerProvider } from "@opentelemetry/api";
import { trace } from "@opentelemetry/api";
import type { OpenAIInstrumentationOptions } from "@thoughtflow/instrumentation-openai";
import { instrumentOpenAI } from "@thoughtflow/instrumentation-openai";
import { createLateTracerProvider } from "./late-tracer-provider.ts";
import type { ThoughtFlowConfig } from "./options.ts";
import { processSingleton } from "./process-singleton.ts";

/** Instrumentation of openai that may be in place before there is a provider. */
export interface OpenAISupport {
  /** Observes the calls of an openai module, class or client; twice is once. */
  observe(openai: unknown): void;
  /** Where its spans come from; undefined: from whatever OpenTelemetry has globally. */
  connect(provider: TracerProvider | undefined): void;
}

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
