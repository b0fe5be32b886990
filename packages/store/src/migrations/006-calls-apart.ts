import { type Kysely, sql } from "kysely";
import type { DatabaseKind } from "../sql-flavour.ts";
import { COLUMN_TYPES } from "./column-types.ts";

/** What questions read of a model call, whose row holds what was said. */
const FIGURES = [
  "start_time",
  "model",
  "agent",
  "user_id",
  "session_id",
  "tool",
  "node",
  "status",
  "is_call",
  "prompt_tokens",
  "cached_tokens",
  "completion_tokens",
  "reasoning_tokens",
  "cost_usd",
  "duration_ms",
];

/** A row of what calls took may be that of no call: the sessions with such a one are to be written anew. */
export async function callsApart(database: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  await database.schema
    .alterTable("llm_traces")
    .addColumn("is_call", COLUMN_TYPES[kind].integer, (column) => column.notNull().defaultTo(1))
    .execute();
  await sql`insert into dirty (session_id)
    select distinct session_id from steps where label = 'generic' and cost is not null`.execute(
    database,
  );
  if (kind !== "sqlite") return;
  await database.schema.dropIndex("llm_traces_figures").execute();
  await database.schema
    .createIndex("llm_traces_figures")
    .on("llm_traces")
    .columns(FIGURES as never)
    .execute();
}
