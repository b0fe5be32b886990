import { type RawBuilder, sql } from "kysely";

/** Which database a store is in. */
export type DatabaseKind = "sqlite" | "postgres";

/** Where the SQL of the two databases differs; everywhere else it is the same. */
export interface SqlFlavour {
  readonly kind: DatabaseKind;
  /** The exact sum of a column of money, without zeros that say nothing; null where there is no amount. */
  sumOfMoney(column: string): RawBuilder<string | null>;
  /** The nearest-rank percentile of what rows say; null where none has a value. */
  percentile(value: RawBuilder<number | null>, percent: number): RawBuilder<number | null>;
  /** The texts of a column, none with a NUL in it, with a NUL between them: one value of so many costs less than so many rows. */
  joined(column: string): RawBuilder<string | Uint8Array>;
  /** The day of a moment, in UTC. */
  day(column: string): RawBuilder<string | null>;
  /** Behind a table whose rows are read in the order of their numbers: SQLite would sort what an index gives. */
  readonly byRowNumber: RawBuilder<unknown>;
}

/**
 * Places up to which SQLite adds amounts as whole numbers, which cost it nothing: dollars and what is behind the point
 * apart, so that only nine hundred million amounts would be too many.
 */
const PLACES = 10;

/** Whether an amount is one of those: `0.0000515` is. */
const isOfUnits = (amount: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`instr(${amount}, '.') between 2 and 9 and length(${amount}) - instr(${amount}, '.') <= ${sql.lit(PLACES)}`;

/** What of an amount is behind the point, times 10 to the power of `PLACES`. */
const unitsOf = (amount: RawBuilder<unknown>): RawBuilder<number> =>
  sql`cast(substr(${amount} || ${sql.lit("0".repeat(PLACES))}, instr(${amount}, '.') + 1, ${sql.lit(PLACES)}) as integer)`;

const sqlite: SqlFlavour = {
  kind: "sqlite",
  sumOfMoney: (column) => {
    const amount = sql.ref(column);
    const small = sql`filter (where ${isOfUnits(amount)})`;
    return sql`money_of(sum(cast(${amount} as integer)) ${small}, sum(${unitsOf(amount)}) ${small}, ${sql.lit(PLACES)},
      decimal_sum(${amount}) filter (where not (${isOfUnits(amount)})))`;
  },
  percentile: (value, percent) => sql`nearest_rank(${value}, ${sql.lit(percent)})`,
  joined: (column) => sql`group_concat(${sql.ref(column)}, char(0))`,
  day: (column) => sql`substr(${sql.ref(column)}, 1, 10)`,
  byRowNumber: sql`not indexed`,
};

const postgres: SqlFlavour = {
  kind: "postgres",
  percentile: (value, percent) =>
    sql`percentile_disc(${sql.lit(percent / 100)}) within group (order by ${value})`,
  sumOfMoney: (column) => sql`trim_scale(sum(${sql.ref(column)}))::text`,
  // No text of PostgreSQL has a NUL.
  joined: (column) =>
    sql`string_agg(convert_to(${sql.ref(column)}::text, 'UTF8'), decode('00', 'hex'))`,
  day: (column) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD')`,
  byRowNumber: sql``,
};

export const FLAVOURS: Readonly<Record<DatabaseKind, SqlFlavour>> = { sqlite, postgres };
