import type { SpanRecord } from "@thoughtflow/schema";
import { ATTR_GEN_AI_OPERATION_NAME } from "@thoughtflow/semconv";
import { textAttribute } from "./span-node.ts";

/**
 * Whether a span tells of a program's own work: some trace all that they do, every file that they read. What failed of it is
 * told; the rest is in no step, and a session of nothing else has no document.
 */
export function isMachinery(record: SpanRecord): boolean {
  return (
    textAttribute(record, ATTR_GEN_AI_OPERATION_NAME) === "machinery" &&
    record.status.code !== "error"
  );
}
