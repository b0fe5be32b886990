import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_THOUGHTFLOW_STEP_ID,
  OPERATION_FETCH_RESPONSE,
} from "@thoughtflow/semconv";
import { type SpanNode, textAttribute } from "./span-node.ts";
import { addEdge, type StepDraft } from "./step-draft.ts";

/** The steps that gave each response, of all sessions, as another session names them: `<trace id>/<step id>`. */
export type Responses = ReadonlyMap<string, string>;

/** Reads the responses out of the spans of all sessions; of several spans with one response the first is meant. */
export function responsesOf(sessions: Iterable<readonly SpanNode[]>): Responses {
  const responses = new Map<string, string>();
  for (const nodes of sessions) {
    for (const { record } of nodes) {
      const id = textAttribute(record, ATTR_GEN_AI_RESPONSE_ID);
      if (id === undefined || responses.has(id)) continue;
      if (record.attributes[ATTR_GEN_AI_OPERATION_NAME] === OPERATION_FETCH_RESPONSE) continue;
      const step = textAttribute(record, ATTR_THOUGHTFLOW_STEP_ID) ?? `s_${record.spanId}`;
      responses.set(id, `${record.traceId}/${step}`);
    }
  }
  return responses;
}

/** The edges of calls that name a response which their own session has not, but another one has. */
export function addContinuedSessions(calls: readonly StepDraft[], responses: Responses): void {
  for (const call of calls) {
    const id = textAttribute(call.span.record, ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID);
    const to = id === undefined ? undefined : responses.get(id);
    if (to === undefined || [...call.edges.values()].some(({ type }) => type === "continues"))
      continue;
    addEdge(call, { to, type: "continues", origin: "observed", ...(id && { evidence: id }) });
  }
}
