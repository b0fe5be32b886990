import { type RawBuilder, sql } from "kysely";
import type { SqlFlavour } from "../sql-flavour.ts";

/** A duration, null where nobody told it: formats without times begin in 1970, where 0 is no time that was measured. */
export function knownDuration(duration: string, start: string): RawBuilder<number | null> {
  return sql`nullif(${sql.ref(duration)}, case when ${isUntold(start)} then 0 end)`;
}

/** The day of a moment, null where nobody told it. */
export function knownDay({ day }: SqlFlavour, moment: string): RawBuilder<string | null> {
  return sql`case when not ${isUntold(moment)} then ${day(moment)} end`;
}

function isUntold(moment: string): RawBuilder<boolean> {
  return sql`(${sql.ref(moment)} < '1970-01-02T00:00:00.000Z')`;
}
