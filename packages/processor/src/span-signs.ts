import { isAgentAttribute } from "@thoughtflow/dialects/spans";
import type { SpanSigns } from "@thoughtflow/otlp";
import { ATTR_GEN_AI_CONVERSATION_ID, ATTR_SESSION_ID } from "@thoughtflow/semconv";

/**
 * How spans of a receiver say where they belong, and that they speak of an agent's work. Under what name each dialect
 * tells its session stands in its table; here it is only where the spans are looked up.
 */
export const SPAN_SIGNS: SpanSigns = {
  sessionNames: [
    ATTR_SESSION_ID,
    ATTR_GEN_AI_CONVERSATION_ID,
    "langfuse.session.id",
    "langsmith.metadata.session_id",
    "traceloop.association.properties.session_id",
    "ai.telemetry.metadata.sessionId",
    "ai.telemetry.metadata.session_id",
    "gcp.vertex.agent.session_id",
  ],
  isFlowName: (name) =>
    name.startsWith("gen_ai.") || name.startsWith("thoughtflow.") || isAgentAttribute(name),
};
