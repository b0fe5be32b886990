import { isAgentAttribute, SESSION_NAMES } from "@thoughtflow/dialects/spans";
import type { SpanSigns } from "@thoughtflow/otlp";

/**
 * How spans of a receiver say where they belong, and that they speak of an agent's work. Under what name each dialect
 * tells its session stands in its table.
 */
export const SPAN_SIGNS: SpanSigns = {
  sessionNames: SESSION_NAMES,
  isFlowName: (name) =>
    name.startsWith("gen_ai.") || name.startsWith("thoughtflow.") || isAgentAttribute(name),
};
