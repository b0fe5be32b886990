import type { Attributes, TimeInput } from "@opentelemetry/api";
import type { Dialect } from "@thoughtflow/dialects";
import { openaiChat } from "@thoughtflow/dialects";
import type { GenAiMessage } from "@thoughtflow/semconv";
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  ATTR_HTTP_REQUEST_RESEND_COUNT,
  ATTR_THOUGHTFLOW_OUTCOME,
  ATTR_THOUGHTFLOW_STREAM_CHUNKS,
} from "@thoughtflow/semconv";
import { capturesAll, exposeContent, spanContentCapture } from "@thoughtflow/tracing";
import { isPending } from "./answer-status.ts";
import { isFetch, noteForLinks } from "./call-links.ts";
import { requestedCallIds } from "./continuation.ts";
import { guarded } from "./degradation.ts";
import type { ErrorDescription } from "./error-outcome.ts";
import { describeError, isUserAbort } from "./error-outcome.ts";
import { withLegacyNames } from "./legacy-names.ts";
import { exposeStructure } from "./message-exposure.ts";
import type { ModelCall, Outcome } from "./model-call.ts";
import { withOwnUsage } from "./outer-call.ts";
import { placeNow, rememberAnswer } from "./session-placement.ts";
import { tellFailure } from "./told-failure.ts";
import { withUsageOnce } from "./usage-once.ts";

/** Takes a chunk of a streamed answer. */
export function addChunk(call: ModelCall, chunk: unknown): void {
  if (call.fold === undefined) {
    call.fold = call.dialect.createFold();
    call.found[ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK] =
      (performance.now() - call.startedAt) / 1000;
  }
  call.chunks += 1;
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
  let isOpen = false;
  guarded("reading the answer", () => {
    if (call.fold !== undefined && content.response === undefined) {
      content.response = call.fold.response();
      content.aggregated = true;
    }
    const { response } = content;
    if (call.retries > 0) call.found[ATTR_HTTP_REQUEST_RESEND_COUNT] = call.retries;
    if (call.chunks > 0) call.found[ATTR_THOUGHTFLOW_STREAM_CHUNKS] = call.chunks;
    if (response !== undefined) {
      const attributes = dialect.responseAttributes(response);
      const id = attributes[ATTR_GEN_AI_RESPONSE_ID];
      if (typeof id === "string") responseId = id;
      isOpen = isPending(attributes);
      Object.assign(
        call.found,
        isStored(dialect, id) ? withUsageOnce(attributes, id, isFetch(dialect)) : attributes,
      );
      output = dialect.outputMessages(response);
      failure ??= failureIn(dialect, response);
    }
    const told = failure === undefined ? outcome : "error";
    if (told !== undefined) call.found[ATTR_THOUGHTFLOW_OUTCOME] = told;
  });
  guarded("placing the call in its session", () => {
    placeNow(call);
    rememberAnswer(call, output, responseId);
    noteForLinks(call, output, failure !== undefined);
  });
  guarded("writing the span", () => {
    const shown = observer.captureContentOnSpans ?? spanContentCapture();
    if (failure !== undefined) {
      Object.assign(call.found, failure.attributes);
      tellFailure(span, failure, capturesAll(shown));
    }
    const attributes = endAttributes(call);
    span.setAttributes(attributes);
    observer.log.tell(call, attributes);
    if (call.session !== undefined) exposeStructure(span, content, call.session, output);
    exposeContent(span, shown);
  });
  guarded("measuring the call", () => observer.metrics.record(call));
  guarded("ending the span", () => span.end());
  guarded("handing on the span", () => observer.sink.onEnd(span));
  if (run === undefined) return;
  guarded("ending the run", () =>
    observer.runs?.leave(run, {
      endTime: (span as { readonly endTime?: TimeInput }).endTime,
      responseId,
      callIds: isOpen && responseId !== undefined ? [responseId] : requestedCallIds(output),
      error: failure,
      isAborted: outcome === "aborted" || outcome === "cancelled",
    }),
  );
}

/** What came to be known, under the names that this call tells it. */
function endAttributes({ found, outer, observer }: ModelCall): Attributes {
  const told = outer === undefined ? found : withOwnUsage(found);
  return observer.legacyNames ? withLegacyNames(told) : told;
}

/** Whether the provider keeps the answer, so that it can be fetched again by its id. */
function isStored(dialect: Dialect, id: unknown): id is string {
  return typeof id === "string" && dialect !== openaiChat;
}

function failureIn(dialect: Dialect, response: unknown): ErrorDescription | undefined {
  const failure = dialect.failureOf(response);
  if (failure === undefined) return undefined;
  return {
    attributes: { [ATTR_ERROR_TYPE]: failure.type },
    message: failure.message ?? failure.type,
  };
}
