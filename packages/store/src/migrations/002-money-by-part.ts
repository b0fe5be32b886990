import { type Kysely, sql } from "kysely";
import type { DatabaseKind } from "../sql-flavour.ts";
import { COLUMN_TYPES } from "./column-types.ts";

/**
 * What each part of a prompt and each tool cost, and of which day a price is. Tables are derived: every session's are to be
 * written anew.
 */
export async function moneyByPart(database: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { money, text } = COLUMN_TYPES[kind];
  const calls = database.schema.alterTable("llm_traces");
  await calls.addColumn("price_date", text).execute();
  await calls.addColumn("tool", text).execute();
  await database.schema.alterTable("prompt_parts").addColumn("cost_usd", money).execute();
  await database.schema
    .createIndex("llm_traces_by_tool")
    .on("llm_traces")
    .columns(["tool"] as never)
    .execute();
  // Which sessions a trace has, without a look at the records.
  await database.schema.dropIndex("records_by_trace_id").execute();
  await database.schema
    .createIndex("records_by_trace_id_session_id")
    .on("records")
    .columns(["trace_id", "session_id"] as never)
    .execute();
  await database.schema.dropIndex("prompt_parts_by_type_tokens").execute();
  await database.schema
    .createIndex("prompt_parts_by_type_tokens_cost_usd")
    .on("prompt_parts")
    .columns(["type", "tokens", "cost_usd"] as never)
    .execute();
  await sql`insert into dirty (session_id) select session_id from sessions`.execute(database);
}
