import type { Attributes } from "@opentelemetry/api";
import type { Dialect } from "@thoughtflow/dialects";
import { openaiChat } from "@thoughtflow/dialects";
import {
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_HTTP_REQUEST_RESEND_COUNT,
  ATTR_THOUGHTFLOW_OUTCOME,
  ATTR_THOUGHTFLOW_STREAM_CHUNKS,
} from "@thoughtflow/semconv";
import {
  exposeContent,
  inputMessagesOf,
  noteHeld,
  promptOfCall,
  spanContentCapture,
} from "@thoughtflow/tracing/internal";
import { isFetch, noteForLinks } from "./call-links.ts";
import { guarded } from "./degradation.ts";
import { tellAttributes } from "./late-telling.ts";
import { withLegacyNames } from "./legacy-names.ts";
import { exposeStructure } from "./message-exposure.ts";
import type { ModelCall } from "./model-call.ts";
import { isReportedInside, withOwnUsage } from "./outer-call.ts";
import { headAttributes } from "./response-head.ts";
import { place, rememberAnswer } from "./session-placement.ts";
import { withUsageOnce } from "./usage-once.ts";

/**
 * Says where a call belongs, and makes the text of its messages: what the application changes inside a message
 * before that is what is seen.
 */
export function tellBeginning(call: ModelCall): void {
  place(call);
  if (call.ended) return;
  inputMessagesOf(call.content);
  promptOfCall(call.content);
}

/** Says on the span of a call all that its answer tells, and remembers what later calls rest on. */
export function tellAnswer(call: ModelCall): void {
  const { observer, span, content, found, output, session } = call;
  guarded("reading the answer", () => {
    const { response } = call;
    if (response !== undefined) {
      Object.assign(found, headAttributes(response.status, response.headers));
    }
    if (call.retries > 0) found[ATTR_HTTP_REQUEST_RESEND_COUNT] = call.retries;
    if (call.chunks > 0) found[ATTR_THOUGHTFLOW_STREAM_CHUNKS] = call.chunks;
    if (content.response !== undefined) Object.assign(found, answerAttributes(call));
    if (call.outcome !== undefined) found[ATTR_THOUGHTFLOW_OUTCOME] = call.outcome;
  });
  guarded("remembering the answer", () => {
    rememberAnswer(call, output, responseIdOf(call));
    noteForLinks(call, output, call.outcome === "error");
  });
  guarded("writing the span", () => {
    const attributes = endAttributes(call);
    tellAttributes(span, attributes);
    observer.log.tell(call, attributes);
    const tellStructure =
      session === undefined ? () => {} : exposeStructure(span, content, session, output);
    exposeContent(span, observer.captureContentOnSpans ?? spanContentCapture());
    noteHeld(content, tellStructure);
  });
}

/** The id of the answer, once `tellAnswer` has read it. */
export function responseIdOf({ found }: ModelCall): string | undefined {
  const id = found[ATTR_GEN_AI_RESPONSE_ID];
  return typeof id === "string" ? id : undefined;
}

function answerAttributes({ dialect, content }: ModelCall): Attributes {
  const attributes = dialect.responseAttributes(content.response);
  const id = attributes[ATTR_GEN_AI_RESPONSE_ID];
  return isStored(dialect, id) ? withUsageOnce(attributes, id, isFetch(dialect)) : attributes;
}

/** Whether the provider keeps the answer, so that it can be fetched again by its id. */
function isStored(dialect: Dialect, id: unknown): id is string {
  return typeof id === "string" && dialect !== openaiChat;
}

/** What came to be known, under the names that this call tells it. */
function endAttributes({ found, outer, observer, span }: ModelCall): Attributes {
  const isReported = outer !== undefined || isReportedInside(span, found);
  const told = isReported ? withOwnUsage(found) : found;
  return observer.legacyNames ? withLegacyNames(told) : told;
}
