import {
  isAgentAttribute,
  isConversationId,
  isSessionNameOfDialect,
  LAST_SESSION_NAME,
  SESSION_NAMES,
  sessionIdOf,
} from "@thoughtflow/dialects/spans";
import type { SpanSigns } from "@thoughtflow/otlp";

/**
 * How spans of a receiver say where they belong, and that they speak of an agent's work. Under what name each dialect
 * tells its session stands in its table.
 */
export const SPAN_SIGNS: SpanSigns = {
  sessionNames: SESSION_NAMES,
  lastSessionName: LAST_SESSION_NAME,
  isLastSession: isConversationId,
  isPerhapsSessionName: isSessionNameOfDialect,
  sessionOf: sessionIdOf,
  isFlowName: (name) =>
    name.startsWith("gen_ai.") || name.startsWith("thoughtflow.") || isAgentAttribute(name),
};
