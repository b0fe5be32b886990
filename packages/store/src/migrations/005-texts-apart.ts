import { type Kysely, sql } from "kysely";
import { stepWords } from "../rows/step-words.ts";
import type { DatabaseKind } from "../sql-flavour.ts";
import { COLUMN_TYPES } from "./column-types.ts";

/** Steps whose texts are held at a time. */
const AT_ONCE = 200;

/** What a step says, as JSON. */
interface Said {
  readonly id: number;
  readonly payload_started: string | null;
  readonly payload_completed: string | null;
  readonly error: string | null;
}

/** What steps say lies together, where patterns are looked for: a step's row has much between its texts. */
export async function textsApart(database: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  await database.schema
    .createTable("step_texts")
    .addColumn("step_row", kind === "sqlite" ? "integer" : "bigint", (column) =>
      column.primaryKey().references("steps.id").onDelete("cascade"),
    )
    .addColumn("text", COLUMN_TYPES[kind].text, (column) => column.notNull())
    .execute();
  for (let last: number | undefined = 0; last !== undefined; )
    last = await fillAfter(database, last);
}

/** The texts of the next steps; gives the last of them. */
async function fillAfter(database: Kysely<unknown>, id: number): Promise<number | undefined> {
  const { rows } = await sql<Said>`select id, payload_started, payload_completed, error from steps
    where id > ${id} order by id limit ${AT_ONCE}`.execute(database);
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  const values = rows.map((row) => sql`(${row.id}, ${textOf(row)})`);
  await sql`insert into step_texts (step_row, text) values ${sql.join(values)}`.execute(database);
  return last.id;
}

function textOf({ payload_started, payload_completed, error }: Said): string {
  const parsed = (json: string | null) => (json === null ? undefined : JSON.parse(json));
  return stepWords({
    payload_started: parsed(payload_started),
    payload_completed: parsed(payload_completed),
    error: parsed(error),
  });
}
