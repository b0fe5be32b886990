import type { SpanRecord } from "@thoughtflow/schema";
import { ATTR_GEN_AI_PROVIDER_NAME } from "@thoughtflow/semconv";

/** Whether a span is a request to a provider: a model, or an agent that runs there. */
export function isRemoteCall({ kind, attributes }: SpanRecord): boolean {
  return kind === "client" && attributes[ATTR_GEN_AI_PROVIDER_NAME] !== undefined;
}
