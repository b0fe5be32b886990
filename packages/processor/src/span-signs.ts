import type { SpanSigns } from "@thoughtflow/otlp";
import { ATTR_GEN_AI_CONVERSATION_ID, ATTR_SESSION_ID } from "@thoughtflow/semconv";

/** How spans of a receiver say where they belong, and that they speak of an agent's work. */
export const SPAN_SIGNS: SpanSigns = {
  sessionNames: [ATTR_SESSION_ID, ATTR_GEN_AI_CONVERSATION_ID],
  isFlowName: (name) => name.startsWith("gen_ai.") || name.startsWith("thoughtflow."),
};
