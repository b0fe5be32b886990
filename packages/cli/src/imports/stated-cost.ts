import type { Attributes } from "@thoughtflow/schema";
import { ATTR_THOUGHTFLOW_COST_STATED } from "@thoughtflow/semconv";

/** What a program says that a call cost, US dollars, as an attribute. Nothing for 0, which stands for what it doesn't know, too. */
export function statedCost(cost: unknown): Attributes {
  return typeof cost === "number" && cost > 0 ? { [ATTR_THOUGHTFLOW_COST_STATED]: cost } : {};
}
