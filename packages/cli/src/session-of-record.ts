import { sessionIdOf } from "@thoughtflow/dialects/spans";
import type { FlowRecord } from "@thoughtflow/schema";

/** Tells the session of a record: the one that it names, else the one of its trace. */
export function sessionsOfRecords(records: readonly FlowRecord[]): (record: FlowRecord) => string {
  const ofTrace = new Map<string, string>();
  for (const record of records) {
    const session = namedBy(record);
    if ("kind" in record && session !== undefined && !ofTrace.has(record.traceId)) {
      ofTrace.set(record.traceId, session);
    }
  }
  return (record) => {
    const trace = "kind" in record ? record.traceId : "";
    return namedBy(record) ?? ofTrace.get(trace) ?? `s_${trace}`;
  };
}

function namedBy(record: FlowRecord): string | undefined {
  if (!("kind" in record)) return record.sessionId;
  return sessionIdOf(record);
}
