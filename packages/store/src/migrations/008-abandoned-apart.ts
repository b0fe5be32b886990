import { type Kysely, sql } from "kysely";
import type { DatabaseKind } from "../sql-flavour.ts";
import { COLUMN_TYPES } from "./column-types.ts";

/** What questions read of runs and model calls, whose rows hold what was said. */
const FIGURES: Readonly<Record<string, readonly string[]>> = {
  graph_runs: [
    "start_time",
    "session_id",
    "status",
    "is_abandoned",
    "steps",
    "model_calls",
    "tool_calls",
    "prompt_tokens",
    "completion_tokens",
    "cost_usd",
    "unpriced_calls",
  ],
  llm_traces: [
    "start_time",
    "model",
    "agent",
    "user_id",
    "session_id",
    "tool",
    "node",
    "status",
    "is_abandoned",
    "is_call",
    "prompt_tokens",
    "cached_tokens",
    "completion_tokens",
    "reasoning_tokens",
    "cost_usd",
    "duration_ms",
  ],
};

/**
 * GraphRun's words call an error what never ended; its rows say so apart. The sessions with such a one are to be written anew: of a
 * run nothing else tells it for certain.
 */
export async function abandonedApart(database: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  for (const table of ["graph_runs", "node_runs", "llm_traces"])
    await database.schema
      .alterTable(table)
      .addColumn("is_abandoned", COLUMN_TYPES[kind].integer, (column) =>
        column.notNull().defaultTo(0),
      )
      .execute();
  await sql`insert into dirty (session_id)
    select session_id from graph_runs where status = 'ERROR' and error_trace like 'abandoned: %'
    union select session_id from steps where status = 'abandoned'`.execute(database);
  if (kind !== "sqlite") return;
  for (const [table, columns] of Object.entries(FIGURES)) {
    await database.schema.dropIndex(`${table}_figures`).execute();
    await database.schema
      .createIndex(`${table}_figures`)
      .on(table)
      .columns(columns as never)
      .execute();
  }
}
