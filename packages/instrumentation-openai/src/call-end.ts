import type { Dialect } from "@thoughtflow/dialects";
import { ATTR_ERROR_TYPE, ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK } from "@thoughtflow/semconv";
import { capturesAll, isAnybodyListening, spanContentCapture } from "@thoughtflow/tracing/internal";
import { isPending } from "./answer-status.ts";
import { catchUp, inOrder } from "./call-order.ts";
import { responseIdOf, tellAnswer } from "./call-telling.ts";
import { requestedCallIds } from "./continuation.ts";
import { guarded } from "./degradation.ts";
import { endTimeOf } from "./derived-runs.ts";
import type { ErrorDescription } from "./error-outcome.ts";
import { describeError, isUserAbort } from "./error-outcome.ts";
import { completeWhenRead } from "./late-telling.ts";
import type { ModelCall, Outcome } from "./model-call.ts";
import { letGo } from "./model-call.ts";
import { forgetOpenStream, noteOpenStream } from "./open-streams.ts";
import { forgetAttempts } from "./retries.ts";
import { rememberAsking } from "./session-placement.ts";
import { hearChunk, tellThoughts } from "./thought-events.ts";
import { tellFailure } from "./told-failure.ts";

/** Takes a chunk of a streamed answer. */
export function addChunk(call: ModelCall, chunk: unknown): void {
  if (call.fold === undefined) {
    call.fold = call.dialect.createFold(() => inOrder(call, rememberAsking));
    const readAt = performance.now();
    call.found[ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK] = (readAt - call.startedAt) / 1000;
    call.fold.add(chunk);
    noteOpenStream(call, () => endEarly(call, "abandoned"));
    if (call.observer.metrics.isOn()) call.chunkClock = { readAt, dimensions: undefined };
  } else {
    call.fold.add(chunk);
    if (call.chunkClock !== undefined) call.observer.metrics.recordChunk(call, call.chunkClock);
  }
  call.chunks += 1;
  if (isAnybodyListening()) hearChunk(call, chunk);
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
  const { observer, span, content, run } = call;
  letGo(call);
  forgetAttempts(call);
  if (call.fold !== undefined) forgetOpenStream(call);
  let failure = thrown;
  let callIds: readonly string[] = [];
  guarded("reading the answer", () => {
    if (call.fold !== undefined && content.response === undefined) {
      content.response = call.fold.response();
      content.aggregated = true;
    }
    const { response } = content;
    if (response === undefined) return;
    call.output = call.dialect.outputMessages(response);
    callIds = requestedCallIds(call.output);
    failure ??= failureIn(call.dialect, response);
  });
  call.outcome = failure === undefined ? outcome : "error";
  inOrder(call, tellAnswer);
  if (isAnybodyListening()) guarded("telling thoughts", () => tellThoughts(call));
  guarded("writing the span", () => {
    if (failure !== undefined) fail(call, failure);
    if (isAwaited(call, callIds) || !completeWhenRead(span, catchUp)) catchUp();
  });
  guarded("measuring the call", () => observer.metrics.record(call));
  guarded("ending the span", () => span.end());
  guarded("handing on the span", () => observer.sink.onEnd(span));
  if (run === undefined) return;
  guarded("ending the run", () => {
    const responseId = responseIdOf(call);
    observer.runs?.leave(run, {
      endTime: endTimeOf(span),
      responseId,
      callIds: isPending(content.response) && responseId !== undefined ? [responseId] : callIds,
      error: failure,
      isAborted: outcome === "aborted" || outcome === "cancelled",
    });
  });
}

/** Marks the span as failed, with what the provider or the SDK said. */
function fail({ span, observer, found }: ModelCall, failure: ErrorDescription): void {
  const shown = observer.captureContentOnSpans ?? spanContentCapture();
  Object.assign(found, failure.attributes);
  tellFailure(span, failure, capturesAll(shown));
}

function failureIn(dialect: Dialect, response: unknown): ErrorDescription | undefined {
  const failure = dialect.failureOf(response);
  if (failure === undefined) return undefined;
  return {
    attributes: { [ATTR_ERROR_TYPE]: failure.type },
    message: failure.message ?? failure.type,
  };
}

/**
 * Whether something in this tick rests on what the answer says: the next request or the tools that it asks for, and
 * a reader of metrics. Otherwise that can wait until the caller has the answer.
 */
function isAwaited(call: ModelCall, callIds: readonly string[]): boolean {
  return callIds.length > 0 || isPending(call.content.response) || call.observer.metrics.isOn();
}
