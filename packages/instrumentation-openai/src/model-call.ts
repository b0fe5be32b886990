import type { Attributes, Context, Span, TimeInput } from "@opentelemetry/api";
import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Dialect, DialectAttributes, StreamFold } from "@thoughtflow/dialects";
import { providerOf } from "@thoughtflow/dialects";
import type { GenAiMessage } from "@thoughtflow/semconv";
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  ATTR_HTTP_REQUEST_RESEND_COUNT,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_THOUGHTFLOW_OUTCOME,
} from "@thoughtflow/semconv";
import type { ModelCallContent } from "@thoughtflow/tracing";
import { attachContent, exposeContent, spanContentCapture } from "@thoughtflow/tracing";
import type { SessionMatch } from "@thoughtflow/workflow";
import { guarded } from "./degradation.ts";
import type { DerivedRun } from "./derived-runs.ts";
import { hasNoSpan } from "./derived-runs.ts";
import type { ErrorDescription } from "./error-outcome.ts";
import { describeError, isUserAbort } from "./error-outcome.ts";
import { exposeStructure } from "./message-exposure.ts";
import type { Observer } from "./observer.ts";
import { copyRequest } from "./request-copy.ts";
import { placeInSession, placeSoon, rememberAnswer } from "./session-placement.ts";
import { continuedIds, requestedCallIds } from "./tool-call-ids.ts";

/** How a call ended where "it answered" is not the whole story. */
export type Outcome = "cancelled" | "aborted" | "raw_response" | "abandoned" | "error";

/** One call from `create()` to the moment the caller has all of the answer, or gives it up. */
export interface ModelCall {
  readonly observer: Observer;
  readonly dialect: Dialect;
  readonly span: Span;
  /** What the SDK's own work runs in. */
  readonly context: Context;
  readonly content: ModelCallContent;
  /** The request's attributes. */
  readonly parameters: DialectAttributes;
  /** Whether the API has a history: chat and responses. */
  readonly hasHistory: boolean;
  readonly run: DerivedRun | undefined;
  /** `performance.now()` at the start. */
  readonly startedAt: number;
  /** Attributes that came to be known on the way, written at the end. */
  readonly found: Attributes;
  session: SessionMatch | undefined;
  /** Set once the answer turned out to be a stream. */
  fold: StreamFold | undefined;
  retries: number;
  parsing: boolean;
  observed: boolean;
  ended: boolean;
  /** Lets go of what waits for an abort. */
  release: (() => void) | undefined;
}

/**
 * Starts the span of a call, below the caller's span, an open derived run or a new one. A call that is not
 * sampled has a context and nothing else.
 */
export function startCall(
  observer: Observer,
  dialect: Dialect,
  hasHistory: boolean,
  baseUrl: unknown,
  parameters: unknown,
): ModelCall | { readonly span: Span; readonly context: Context } {
  const request = copyRequest(parameters);
  const caller = context.active();
  const run =
    hasHistory && observer.runs !== undefined && hasNoSpan(caller)
      ? (observer.runs.find(() => continuedIds(dialect, request)) ?? observer.runs.open(caller))
      : undefined;
  const parent = run?.context ?? caller;
  const attributes = dialect.requestAttributes(request);
  const { name: provider, address, port } = providerOf(baseUrl);
  const model = attributes[ATTR_GEN_AI_REQUEST_MODEL];
  const span = observer.tracer.startSpan(
    model === undefined ? dialect.operation : `${dialect.operation} ${model}`,
    {
      kind: SpanKind.CLIENT,
      attributes: {
        [ATTR_GEN_AI_OPERATION_NAME]: dialect.operation,
        [ATTR_GEN_AI_PROVIDER_NAME]: provider,
        ...attributes,
        ...(address !== undefined && { [ATTR_SERVER_ADDRESS]: address }),
        ...(port !== undefined && { [ATTR_SERVER_PORT]: port }),
      },
    },
    parent,
  );
  const inside = trace.setSpan(parent, span);
  if (!span.isRecording()) return { span, context: inside };
  const content: ModelCallContent = { dialect, request };
  attachContent(span, content);
  guarded("announcing the span", () => observer.sink?.onStart(span, parent));
  if (run !== undefined) observer.runs?.enter(run);
  const call: ModelCall = {
    observer,
    dialect,
    span,
    context: inside,
    content,
    parameters: attributes,
    hasHistory,
    run,
    startedAt: performance.now(),
    found: {},
    session: undefined,
    fold: undefined,
    retries: 0,
    parsing: false,
    observed: false,
    ended: false,
    release: undefined,
  };
  placeSoon(call);
  return call;
}

/** Takes a chunk of a streamed answer. */
export function addChunk(call: ModelCall, chunk: unknown): void {
  if (call.fold === undefined) {
    call.fold = call.dialect.createFold();
    call.found[ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK] =
      (performance.now() - call.startedAt) / 1000;
  }
  call.fold.add(chunk);
}

/** The caller has the whole answer; a stream has its own in the fold. */
export function endWithAnswer(call: ModelCall, answer: unknown): void {
  if (call.ended) return;
  call.content.response = answer;
  end(call, undefined, undefined);
}

/** The call stopped before its end, with what came of the answer until then. */
export function endEarly(call: ModelCall, outcome: Exclude<Outcome, "error">): void {
  if (call.ended) return;
  end(call, outcome, undefined);
}

/** The call threw; an abort that the caller asked for is no error. */
export function endWithError(call: ModelCall, error: unknown): void {
  if (call.ended) return;
  if (isUserAbort(error)) end(call, "aborted", undefined);
  else end(call, "error", describeError(error));
}

function end(call: ModelCall, outcome: Outcome | undefined, thrown: ErrorDescription | undefined) {
  call.ended = true;
  const { observer, span, dialect, content, run } = call;
  call.release?.();
  let failure = thrown;
  let output: readonly GenAiMessage[] = [];
  let responseId: string | undefined;
  guarded("reading the answer", () => {
    if (call.fold !== undefined && content.response === undefined) {
      content.response = call.fold.response();
      content.aggregated = true;
    }
    const { response } = content;
    if (call.retries > 0) call.found[ATTR_HTTP_REQUEST_RESEND_COUNT] = call.retries;
    if (response !== undefined) {
      const attributes = dialect.responseAttributes(response);
      Object.assign(call.found, attributes);
      const id = attributes[ATTR_GEN_AI_RESPONSE_ID];
      if (typeof id === "string") responseId = id;
      output = dialect.outputMessages(response);
      failure ??= failureIn(dialect, response);
    }
    const told = failure === undefined ? outcome : "error";
    if (told !== undefined) call.found[ATTR_THOUGHTFLOW_OUTCOME] = told;
  });
  guarded("placing the call in its session", () => {
    placeInSession(call);
    rememberAnswer(call, output, responseId);
  });
  guarded("writing the span", () => {
    if (failure !== undefined) {
      Object.assign(call.found, failure.attributes);
      span.setStatus({ code: SpanStatusCode.ERROR, message: failure.message });
    }
    span.setAttributes(call.found);
    if (call.session !== undefined) exposeStructure(span, content, call.session, output);
    if (observer.captureContentOnSpans ?? spanContentCapture()) exposeContent(span);
  });
  guarded("ending the span", () => span.end());
  guarded("handing on the span", () => observer.sink?.onEnd(span));
  if (run === undefined) return;
  guarded("ending the run", () =>
    observer.runs?.leave(run, {
      endTime: (span as { readonly endTime?: TimeInput }).endTime,
      responseId,
      callIds: requestedCallIds(output),
      error: failure,
      isAborted: outcome === "aborted" || outcome === "cancelled",
    }),
  );
}

function failureIn(dialect: Dialect, response: unknown): ErrorDescription | undefined {
  const failure = dialect.failureOf(response);
  if (failure === undefined) return undefined;
  return {
    attributes: { [ATTR_ERROR_TYPE]: failure.type },
    message: failure.message ?? failure.type,
  };
}
