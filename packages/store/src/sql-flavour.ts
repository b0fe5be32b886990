import { type RawBuilder, sql } from "kysely";

/** Which database a store is in. */
export type DatabaseKind = "sqlite" | "postgres";

/** Where the SQL of the two databases differs; everywhere else it is the same. */
export interface SqlFlavour {
  readonly kind: DatabaseKind;
  /** The exact sum of a column of money, without zeros that say nothing; null where there is no amount. */
  sumOfMoney(column: string): RawBuilder<string | null>;
  /** The day of a moment, in UTC. */
  day(column: string): RawBuilder<string | null>;
  /** Money as a binary number: to order by, never to show. */
  asNumber(money: RawBuilder<unknown>): RawBuilder<number | null>;
}

const sqlite: SqlFlavour = {
  kind: "sqlite",
  sumOfMoney: (column) => sql`decimal_sum(${sql.ref(column)})`,
  asNumber: (money) => sql`cast(${money} as real)`,
  day: (column) => sql`substr(${sql.ref(column)}, 1, 10)`,
};

const postgres: SqlFlavour = {
  kind: "postgres",
  sumOfMoney: (column) => sql`trim_scale(sum(${sql.ref(column)}))::text`,
  asNumber: (money) => sql`cast(${money} as double precision)`,
  day: (column) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD')`,
};

export const FLAVOURS: Readonly<Record<DatabaseKind, SqlFlavour>> = { sqlite, postgres };
