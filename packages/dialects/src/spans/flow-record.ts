import type { FlowRecord, SpanRecord } from "@thoughtflow/schema";
import { sessionIdOf } from "./session-id.ts";

/** Whether a record tells of a span, ended or just started; the others are of sessions. */
export function isSpan(record: FlowRecord): record is SpanRecord {
  return record.type === "span_start" || record.type === "span_end";
}

/** The session that a record names; `undefined` where it is a span that names none. */
export function sessionNamedIn(record: FlowRecord): string | undefined {
  return isSpan(record) ? sessionIdOf(record) : record.sessionId;
}
