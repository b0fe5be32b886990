import { type RawBuilder, sql } from "kysely";

/** A duration, null where nobody told it: formats without times begin in 1970, where 0 is no time that was measured. */
export function knownDuration(duration: string, start: string): RawBuilder<number | null> {
  return sql`nullif(${sql.ref(duration)}, case when ${sql.ref(start)} < '1970-01-02T00:00:00.000Z' then 0 end)`;
}
