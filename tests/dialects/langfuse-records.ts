import type { SpanRecord } from "@thoughtflow/schema";
import { createRunReader } from "../../packages/cli/src/imports/exported-runs/exported-runs.ts";
import { observations } from "../../packages/cli/src/imports/exported-runs/langfuse.ts";

/** The spans that an export of Langfuse was made from. */
export function recordsOfExport(value: unknown): readonly SpanRecord[] {
  const reader = createRunReader(observations);
  return [...reader.spansIn(value), ...reader.waited()].flatMap((span) => span ?? []);
}
