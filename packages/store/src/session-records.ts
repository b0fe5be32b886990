import { traceOfSession } from "@thoughtflow/journal";
import type { FlowRecord } from "@thoughtflow/schema";
import { recordsOfRows } from "./record-rows.ts";
import type { Queries } from "./store.ts";

/**
 * The records of a session: the spans of every trace in which one names it, or that it is named after, and what was
 * decided about it.
 */
export async function recordsOfSession(
  { database }: Queries,
  sessionId: string,
): Promise<FlowRecord[]> {
  const trace = traceOfSession(sessionId) ?? "";
  const rows = await database
    .selectFrom("records")
    .select(["type", "body", "session_id", "trace_id"])
    .where((is) =>
      is.or([
        is("session_id", "=", sessionId),
        is("trace_id", "=", trace),
        is(
          "trace_id",
          "in",
          is.selectFrom("records").select("trace_id").where("session_id", "=", sessionId),
        ),
      ]),
    )
    .execute();
  const scopes = [...new Set(rows.map(({ session_id, trace_id }) => session_id ?? trace_id ?? ""))];
  if (scopes.length === 0) return [];
  const pieces = await database
    .selectFrom("pieces")
    .selectAll()
    .where("scope", "in", scopes)
    .execute();
  const lists = await database
    .selectFrom("lists")
    .selectAll()
    .where("scope", "in", scopes)
    .execute();
  return recordsOfRows(rows, { pieces, lists });
}
