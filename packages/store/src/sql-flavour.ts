import { type RawBuilder, sql } from "kysely";

/** Which database a store is in. */
export type DatabaseKind = "sqlite" | "postgres";

/** Where the SQL of the two databases differs; everywhere else it is the same. */
export interface SqlFlavour {
  readonly kind: DatabaseKind;
  /** The exact sum of a column of money, without zeros that say nothing; null where there is no amount. */
  sumOfMoney(column: string): RawBuilder<string | null>;
  /** The nearest-rank percentile of a column; null where it has no value. */
  percentile(column: string, percent: number): RawBuilder<number | null>;
  /** The day of a moment, in UTC. */
  day(column: string): RawBuilder<string | null>;
}

/** Places up to which SQLite adds amounts as whole numbers, which cost it nothing; sums are exact up to 900 million dollars. */
const PLACES = 10;

/** An amount times 10 to the power of `PLACES`. */
const unitsOf = (amount: RawBuilder<unknown>): RawBuilder<number> =>
  sql`cast(replace(${amount}, '.', '') || substr(${sql.lit("0".repeat(PLACES))}, 1 + length(${amount}) - instr(${amount}, '.')) as integer)`;

/** Whether an amount is one of those: `0.0000515` is. */
const isOfUnits = (amount: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`instr(${amount}, '.') between 2 and 5 and length(${amount}) - instr(${amount}, '.') <= ${sql.lit(PLACES)}`;

const sqlite: SqlFlavour = {
  kind: "sqlite",
  sumOfMoney: (column) => {
    const amount = sql.ref(column);
    return sql`units_and_others(sum(${unitsOf(amount)}) filter (where ${isOfUnits(amount)}), ${sql.lit(PLACES)}, decimal_sum(${amount}) filter (where not (${isOfUnits(amount)})))`;
  },
  percentile: (column, percent) => sql`nearest_rank(${sql.ref(column)}, ${sql.lit(percent)})`,
  day: (column) => sql`substr(${sql.ref(column)}, 1, 10)`,
};

const postgres: SqlFlavour = {
  kind: "postgres",
  percentile: (column, percent) =>
    sql`percentile_disc(${sql.lit(percent / 100)}) within group (order by ${sql.ref(column)})`,
  sumOfMoney: (column) => sql`trim_scale(sum(${sql.ref(column)}))::text`,
  day: (column) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD')`,
};

export const FLAVOURS: Readonly<Record<DatabaseKind, SqlFlavour>> = { sqlite, postgres };
