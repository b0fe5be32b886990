import type { Context, MeterProvider, Span, TracerProvider } from "@opentelemetry/api";
import type { ContentCapture } from "@thoughtflow/tracing/internal";
import type { SessionInference } from "@thoughtflow/workflow";
import type { CallLoggerProvider } from "./call-logger-provider.ts";

/** Told of every span of this instrumentation, where the application owns the tracer provider. */
export interface SpanSink {
  /** Right after the start; `parentContext` is the context the span was started in. */
  onStart(span: Span, parentContext: Context): void;
  /** Right after `end()`. */
  onEnd(span: Span): void;
}

/** What `OpenAIInstrumentation` and `instrumentOpenAI` may be given; all have defaults. */
export interface OpenAIInstrumentationOptions {
  /** Where spans are made. Default: the global provider, also one that is registered later. */
  readonly tracerProvider?: TracerProvider;
  /**
   * Where durations and tokens are measured, in the conventions' `gen_ai.client.*` instruments. Default: the global
   * provider, also one that is registered later; without any, nothing is measured.
   */
  readonly meterProvider?: MeterProvider;
  /**
   * Whether spans and metrics come under older names too: `gen_ai.system`, `gen_ai.usage.prompt_tokens`,
   * `gen_ai.client.token.usage` …, for backends that still read those. Default false.
   */
  readonly legacyNames?: boolean;
  /**
   * Whether a chat or responses call outside of any span opens a root span of its own, which stays open while
   * its answers ask for tools. Default true.
   */
  readonly derivedRuns?: boolean;
  /** Milliseconds after which a root span that waits for tool results ends. Default 60,000. */
  readonly runIdleMs?: number;
  /** The session of conversations that nothing else places. Default: each gets its own. */
  readonly sessionId?: string;
  /** Tells which conversation a call continues. Default: one for the process; with `sessionId`, one of its own. */
  readonly sessionInference?: SessionInference;
  /**
   * Which messages, instructions and tool definitions are attributes of the spans, for any exporter; their
   * text is made when it is read. Default: what `setSpanContentCapture` says, which is
   * no. Content for files does not depend on it.
   */
  readonly captureContentOnSpans?: ContentCapture;
  /**
   * Which content log records have, one `gen_ai.client.inference.operation.details` for each call. Default false: there are
   * no such records.
   */
  readonly captureContentInLogs?: ContentCapture;
  /** Where those records go. Default: the global provider, also one that is registered later. */
  readonly loggerProvider?: CallLoggerProvider;
  /** Default: the one of the process, where `setSpanSink` has set one. */
  readonly sink?: SpanSink;
}
