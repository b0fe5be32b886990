import { type ColumnDataType, type RawBuilder, sql } from "kysely";
import type { DatabaseKind } from "../sql-flavour.ts";

type ColumnType = ColumnDataType | RawBuilder<unknown>;

/** What a column of each kind of value is called in a database. */
export interface ColumnTypes {
  readonly text: ColumnType;
  readonly integer: ColumnType;
  readonly number: ColumnType;
  readonly bytes: ColumnType;
  /** JSON text as it was written: keys keep their order, no escape is refused. */
  readonly json: ColumnType;
  readonly moment: ColumnType;
  readonly money: ColumnType;
  /** A key that the database counts. */
  readonly serial: ColumnType;
}

export const COLUMN_TYPES: Readonly<Record<DatabaseKind, ColumnTypes>> = {
  sqlite: {
    text: "text",
    integer: "integer",
    number: "real",
    bytes: "blob",
    json: "text",
    moment: "text",
    money: "text",
    serial: "integer",
  },
  postgres: {
    text: "text",
    integer: "bigint",
    number: "double precision",
    bytes: "bytea",
    json: "json",
    moment: sql`timestamptz`,
    money: "numeric",
    serial: "bigserial",
  },
};
