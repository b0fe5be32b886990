import { type Kysely, sql } from "kysely";
import type { DatabaseKind } from "../sql-flavour.ts";
import { COLUMN_TYPES } from "./column-types.ts";

/** What questions read: of a model call, whose row holds what was said; of a run, whose row holds its states; of parts, by call. */
const FIGURES: Readonly<Record<string, readonly string[]>> = {
  llm_traces: [
    "start_time",
    "model",
    "agent",
    "user_id",
    "session_id",
    "tool",
    "node",
    "status",
    "prompt_tokens",
    "cached_tokens",
    "completion_tokens",
    "reasoning_tokens",
    "cost_usd",
    "duration_ms",
  ],
  graph_runs: [
    "start_time",
    "session_id",
    "status",
    "steps",
    "model_calls",
    "tool_calls",
    "prompt_tokens",
    "completion_tokens",
    "cost_usd",
    "unpriced_calls",
  ],
  prompt_parts: ["type", "session_id", "run", "step", "part_id", "version", "tokens", "cost_usd"],
};

/**
 * Figures of calls and runs lie together in SQLite, where a row's long texts are between them; the records of a trace lie together in
 * the index by which they are known; and a model call says its node.
 */
export async function figuresApart(database: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  await database.schema
    .alterTable("llm_traces")
    .addColumn("node", COLUMN_TYPES[kind].text)
    .execute();
  await sql`update llm_traces set node = (select n.node_name from node_runs n
    where n.session_id = llm_traces.session_id and n.run = llm_traces.run and n.id = llm_traces.node_run_id)
    where node_run_id is not null`.execute(database);
  await sql`update records set digest = substr(coalesce(trace_id, session_id, ''), 1, 32) || substr(digest, 1, 32)`.execute(
    database,
  );
  await database.schema
    .createIndex("graph_runs_by_amount")
    .on("graph_runs")
    .expression(sql`cast(cost_usd as double precision)`)
    .execute();
  await database.schema.dropIndex("llm_traces_by_cost_usd").execute();
  if (kind !== "sqlite") return;
  for (const unneeded of [
    "llm_traces_by_model_start_time",
    "llm_traces_by_start_time",
    "llm_traces_by_tool",
    "graph_runs_by_start_time",
    "prompt_parts_by_type_tokens_cost_usd",
  ])
    await database.schema.dropIndex(unneeded).execute();
  for (const [table, columns] of Object.entries(FIGURES))
    await database.schema
      .createIndex(`${table}_figures`)
      .on(table)
      .columns(columns as never)
      .execute();
}
