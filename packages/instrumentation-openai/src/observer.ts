import type { Tracer } from "@opentelemetry/api";
import { trace } from "@opentelemetry/api";
import { GEN_AI_SCHEMA_URL } from "@thoughtflow/semconv";
import type { ContentCapture } from "@thoughtflow/tracing/internal";
import { addProcessCounts, earlierResponse, expectPrompts } from "@thoughtflow/tracing/internal";
import type { SessionInference } from "@thoughtflow/workflow";
import { createSessionInference } from "@thoughtflow/workflow";
import type { CallLog } from "./call-log.ts";
import { createCallLog } from "./call-log.ts";
import type { CallMetrics } from "./call-metrics.ts";
import { createCallMetrics } from "./call-metrics.ts";
import { degradations } from "./degradation.ts";
import type { DerivedRuns } from "./derived-runs.ts";
import { createDerivedRuns } from "./derived-runs.ts";
import type { OpenAIInstrumentationOptions, SpanSink } from "./options.ts";
import { requestCounts, unknownRequestCounts } from "./request-counts.ts";
import { processSink } from "./span-sink.ts";
import { INSTRUMENTATION_NAME, INSTRUMENTATION_VERSION } from "./version.ts";

/** What all calls of one instrumentation share. */
export interface Observer {
  readonly tracer: Tracer;
  /** Absent when derived runs are switched off. */
  readonly runs: DerivedRuns | undefined;
  readonly sessions: SessionInference;
  /** Absent: as the process says. */
  readonly captureContentOnSpans: ContentCapture | undefined;
  readonly log: CallLog;
  readonly metrics: CallMetrics;
  /** Whether spans have the names of older conventions beside the newest. */
  readonly legacyNames: boolean;
  readonly sink: SpanSink;
}

let sharedSessions: SessionInference | undefined;

/** One for the process, so that a conversation may go through several clients. */
function sessionsOf({ sessionId }: OpenAIInstrumentationOptions): SessionInference {
  if (sessionId !== undefined) {
    return createSessionInference({ defaultSessionId: sessionId, earlierResponse });
  }
  sharedSessions ??= createSessionInference({ earlierResponse });
  return sharedSessions;
}

/** What the calls of one instrumentation share, with the defaults filled in. Registers the process's counts. */
export function createObserver(options: OpenAIInstrumentationOptions): Observer {
  addProcessCounts("requests", requestCounts);
  addProcessCounts("unknown_requests", unknownRequestCounts);
  addProcessCounts("degradations", degradations);
  expectPrompts();
  const sink = options.sink ?? processSink;
  const provider = options.tracerProvider ?? trace;
  const tracer = provider.getTracer(INSTRUMENTATION_NAME, INSTRUMENTATION_VERSION, {
    schemaUrl: GEN_AI_SCHEMA_URL,
  });
  const { legacyNames = false } = options;
  const runs =
    options.derivedRuns === false
      ? undefined
      : createDerivedRuns(tracer, sink, options.runIdleMs ?? 60_000, options.captureContentOnSpans);
  return {
    tracer,
    runs,
    sessions: options.sessionInference ?? sessionsOf(options),
    captureContentOnSpans: options.captureContentOnSpans,
    log: createCallLog(options.loggerProvider, options.captureContentInLogs ?? false),
    metrics: createCallMetrics(options.meterProvider, legacyNames),
    legacyNames,
    sink,
  };
}
