import type { Attributes } from "@opentelemetry/api";
import { ATTR_GEN_AI_RESPONSE_STATUS } from "@thoughtflow/semconv";

const PENDING: ReadonlySet<unknown> = new Set(["queued", "in_progress", "cancelling"]);

/** Whether an answer is only the promise of one: whoever wants it asks again. */
export function isPending(responseAttributes: Attributes): boolean {
  return PENDING.has(responseAttributes[ATTR_GEN_AI_RESPONSE_STATUS]);
}
