import type { GenAiMessage } from "@thoughtflow/semconv";
import {
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_THOUGHTFLOW_SESSION_CONFIDENCE,
} from "@thoughtflow/semconv";
import { historyOf, sessionOf } from "@thoughtflow/tracing/internal";
import type { ObservedRequest, SessionMatch } from "@thoughtflow/workflow";
import { isRoot, linkToEarlier } from "./call-links.ts";
import { tellAttributes } from "./late-telling.ts";
import type { ModelCall } from "./model-call.ts";
import { sessionAttributes } from "./session-attributes.ts";

/** Finds the session of a call, once, and says so on its span and on the open derived run. */
export function place(call: ModelCall): void {
  if (call.session !== undefined) return;
  const { observer, span, run, content, hasHistory } = call;
  // Without a history of its own a call belongs where its trace does.
  if (!hasHistory && !isRoot(span)) return;
  const messages = hasHistory ? historyOf(content) : [];
  const match = observer.sessions.request(observedRequest(call, messages));
  call.placed = match;
  const session = run?.session === undefined ? match : { ...run.session, ...placeIn(match) };
  call.session = session;
  const { confidence } = session;
  tellAttributes(span, {
    ...sessionAttributes(session),
    ...(confidence !== undefined && { [ATTR_THOUGHTFLOW_SESSION_CONFIDENCE]: confidence }),
  });
  linkToEarlier(call, match, messages);
  if (run !== undefined && run.session === undefined) {
    run.session = session;
    if (run.span.isRecording()) run.span.setAttributes(sessionAttributes(session));
  }
}

/** Who begins with what a streamed answer asks for may do so before that answer is whole. */
export function rememberAsking(call: ModelCall): void {
  const { placed, observer, dialect, fold } = call;
  if (placed?.question === undefined || call.ended) return;
  observer.sessions.answering(placed, () =>
    call.ended ? call.output : dialect.outputMessages(fold?.response()),
  );
}

/** What the next call may continue. */
export function rememberAnswer(
  { placed, observer }: ModelCall,
  output: readonly GenAiMessage[],
  responseId: string | undefined,
): void {
  if (placed?.question === undefined) return;
  observer.sessions.response(placed, {
    output,
    ...(responseId !== undefined && { responseId }),
  });
}

function observedRequest(call: ModelCall, messages: readonly GenAiMessage[]): ObservedRequest {
  const { traceId, spanId } = call.span.spanContext();
  // A fetch is placed by the response that it fetches.
  const previous =
    call.parameters[ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID] ??
    call.parameters[ATTR_GEN_AI_RESPONSE_ID];
  const conversation = call.parameters[ATTR_GEN_AI_CONVERSATION_ID];
  const sessionId = sessionOf(call.context)?.sessionId ?? call.run?.session?.sessionId;
  return {
    traceId,
    spanId,
    messages,
    ms: call.startedAt,
    ...(typeof previous === "string" && { previousResponseId: previous }),
    ...(typeof conversation === "string" && { conversationId: conversation }),
    ...(sessionId !== undefined && { sessionId }),
    hasHistory: call.hasHistory,
  };
}

/** A call inside a run has the run's session; which messages it knows is its own. */
function placeIn({ continues, known }: SessionMatch): Pick<SessionMatch, "continues" | "known"> {
  return continues === undefined ? { known } : { continues, known };
}
