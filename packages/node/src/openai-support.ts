import type { TracerProvider } from "@opentelemetry/api";
import { trace } from "@opentelemetry/api";
import type { OpenAIInstrumentationOptions, SpanSink } from "@thoughtflow/instrumentation-openai";
import { instrumentOpenAI } from "@thoughtflow/instrumentation-openai";
import { createLateTracerProvider } from "./late-tracer-provider.ts";
import type { ThoughtFlowConfig } from "./options.ts";
import { processSingleton } from "./process-singleton.ts";

/** Where the instrumentation's spans come from and go to. */
export interface Connection {
  readonly provider: TracerProvider;
  /** Only beside a provider that isn't ours, which doesn't know our processor. */
  readonly sink?: SpanSink;
}

/** Instrumentation of openai that may be in place before there is a provider. */
export interface OpenAISupport {
  /** Observes the calls of an openai module, class or client; twice is once. */
  observe(openai: unknown): void;
  /** Undefined: spans go to whatever OpenTelemetry has globally. */
  connect(connection: Connection | undefined): void;
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
  let connection: Connection | undefined;
  const options: OpenAIInstrumentationOptions = {
    tracerProvider: createLateTracerProvider(() => {
      if (connection === undefined) onFirstCall();
      return connection?.provider ?? trace.getTracerProvider();
    }),
    derivedRuns: config.derivedRuns,
    captureContentOnSpans: config.captureContentOnSpans,
    legacyNames: config.legacyNames,
    ...(config.sessionId !== undefined && { sessionId: config.sessionId }),
    sink: {
      onStart: (span, parentContext) => connection?.sink?.onStart(span, parentContext),
      onEnd: (span) => connection?.sink?.onEnd(span),
    },
  };
  return {
    observe(openai) {
      instrumentOpenAI(openai, options);
    },
    connect(next) {
      connection = next;
    },
  };
}
