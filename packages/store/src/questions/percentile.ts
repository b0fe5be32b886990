import { type RawBuilder, sql } from "kysely";

/**
 * The nearest-rank percentile of durations within a group: over rows that `ranked` numbered by duration, of which
 * `timed` have one.
 */
export function percentile(percent: number): RawBuilder<number | null> {
  return sql`max(case when place = (timed * ${sql.lit(percent)} + 99) / 100 then duration_ms end)`;
}

/** What `percentile` needs of each row, the groups being those of `key`. */
export function ranked(key: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`row_number() over (partition by ${key} order by duration_ms nulls last) as place, count(duration_ms) over (partition by ${key}) as timed`;
}
