import type { Context, Span, TracerProvider } from "@opentelemetry/api";
import { trace } from "@opentelemetry/api";
import { OpenAIInstrumentation } from "@thoughtflow/instrumentation-openai";
import { createLateTracerProvider } from "./late-tracer-provider.ts";
import type { ThoughtFlowConfig } from "./options.ts";

/** Gets the spans of our instrumentation when another's provider makes them. The processor is one. */
export interface SpanSink {
  onStart(span: Span, parentContext: Context): void;
  onEnd(span: Span): void;
}

/** Where the instrumentation's spans come from and go to. */
export interface Connection {
  readonly provider: TracerProvider;
  /** Only beside a provider that isn't ours: it doesn't know our processor. */
  readonly sink?: SpanSink;
}

/** The openai instrumentation, in place before there is a provider. */
export interface OpenAISupport {
  readonly instrumentation: OpenAIInstrumentation;
  connect(connection: Connection | undefined): void;
}

/**
 * Instrumentation of openai that asks for its connection at the first call.
 *
 * @param onFirstCall is to call `connect`; until somebody does, spans go to whatever OpenTelemetry has globally
 */
export function createOpenAISupport(
  config: ThoughtFlowConfig,
  onFirstCall: () => void,
): OpenAISupport {
  let connection: Connection | undefined;
  const instrumentation = new OpenAIInstrumentation({
    captureContentOnSpans: config.captureContentOnSpans,
    derivedRuns: config.derivedRuns,
    sink: {
      onStart: (span, parentContext) => connection?.sink?.onStart(span, parentContext),
      onEnd: (span) => connection?.sink?.onEnd(span),
    },
  });
  instrumentation.setTracerProvider(
    createLateTracerProvider(() => {
      if (connection === undefined) onFirstCall();
      return connection?.provider ?? trace.getTracerProvider();
    }),
  );
  return {
    instrumentation,
    connect(next) {
      connection = next;
    },
  };
}
