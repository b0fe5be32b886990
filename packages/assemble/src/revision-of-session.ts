import type { FlowRecord } from "@thoughtflow/schema";
import { assemble } from "./assemble.ts";
import { distinctRecords } from "./distinct-spans.ts";
import { isRetold } from "./retold-span.ts";
import { revisionOf } from "./revision.ts";

/** The revision that records of one session give its document; 0 for none. Nothing is assembled for it where spans were recorded. */
export function revisionOfSession(records: readonly FlowRecord[], id: string): number {
  const { spans, sessions, tombstones } = distinctRecords(records);
  if (spans.some(({ record }) => isRetold(record)))
    return assemble(records).find(({ session_id }) => session_id === id)?.revision ?? 0;
  return revisionOf(spans, sessions, tombstones);
}
