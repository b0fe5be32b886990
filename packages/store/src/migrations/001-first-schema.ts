import { type Kysely, sql } from "kysely";
import type { DatabaseKind } from "../sql-flavour.ts";
import { COLUMN_TYPES, type ColumnTypes } from "./column-types.ts";

/** Columns by name; `!` stands behind what is never null. */
type Columns = Readonly<Record<string, `${keyof ColumnTypes}${"" | "!"}`>>;

const PLACE_OF_RUN = { session_id: "text!", run: "integer!" } as const;
const PLACE_OF_STEP = { ...PLACE_OF_RUN, step: "integer!" } as const;

/** Tables that a session's document fills, each with the columns that are its key beside the session. */
const DERIVED: Readonly<
  Record<string, { readonly key: readonly string[]; readonly columns: Columns }>
> = {
  graph_runs: {
    key: ["run"],
    columns: {
      ...PLACE_OF_RUN,
      id: "text!",
      user_id: "text",
      conversation_id: "text!",
      status: "text!",
      start_time: "moment",
      end_time: "moment",
      duration_ms: "integer",
      error_trace: "text",
      initial_state: "json",
      final_state: "json",
      name: "text",
      channel: "text",
      agent: "text",
      trigger: "text",
      origin: "text",
      status_reason: "text",
      trace_id: "text",
      span_id: "text",
      last_at: "moment",
      steps: "integer!",
      model_calls: "integer!",
      tool_calls: "integer!",
      errors: "integer!",
      prompt_tokens: "integer",
      completion_tokens: "integer",
      cost_usd: "money",
      unpriced_calls: "integer!",
    },
  },
  node_runs: {
    key: ["run", "step"],
    columns: {
      ...PLACE_OF_STEP,
      id: "text!",
      graph_run_id: "text!",
      node_name: "text!",
      start_time: "moment",
      end_time: "moment",
      duration_ms: "integer",
      status: "text!",
      error_trace: "text",
      parent_node_run_id: "text",
    },
  },
  llm_traces: {
    key: ["run", "step"],
    columns: {
      ...PLACE_OF_STEP,
      id: "text!",
      graph_run_id: "text!",
      node_run_id: "text",
      model: "text",
      prompt_tokens: "integer",
      completion_tokens: "integer",
      total_tokens: "integer",
      cached_tokens: "integer",
      cache_write_tokens: "integer",
      reasoning_tokens: "integer",
      cost_usd: "money",
      input_cost_usd: "money",
      output_cost_usd: "money",
      cost_status: "text",
      price_table: "text",
      start_time: "moment",
      end_time: "moment",
      duration_ms: "integer",
      status: "text!",
      error_trace: "text",
      input_messages: "json",
      output_message: "json",
      raw_request: "json",
      raw_response: "json",
      operation: "text",
      response_id: "text",
      user_id: "text",
      agent: "text",
    },
  },
  edges: {
    key: ["run", "step", "edge"],
    columns: {
      ...PLACE_OF_STEP,
      edge: "integer!",
      from_step: "text!",
      to_step: "text!",
      type: "text!",
      origin: "text!",
      confidence: "number",
      evidence: "text",
    },
  },
  thoughts: {
    key: ["run", "step"],
    columns: {
      ...PLACE_OF_STEP,
      id: "text!",
      thought_type: "text",
      thought: "text",
      confidence: "number",
      thought_number: "integer",
      branch_id: "text",
      details: "json",
    },
  },
  agents: {
    key: ["agent"],
    columns: {
      session_id: "text!",
      agent: "integer!",
      agent_id: "text",
      name: "text",
      details: "json",
    },
  },
  snapshots: {
    key: ["run", "step"],
    columns: { ...PLACE_OF_STEP, id: "text!", kind: "text!", version: "text", details: "json" },
  },
  scores: {
    key: ["score"],
    columns: {
      session_id: "text!",
      score: "integer!",
      run_id: "text",
      step_id: "text",
      edge: "text",
      name: "text",
      value: "number",
      label: "text",
      source: "text",
      author: "text",
      explanation: "text",
      scored_at: "moment",
    },
  },
  prompt_parts: {
    key: ["run", "step", "part"],
    columns: {
      ...PLACE_OF_STEP,
      part: "integer!",
      type: "text!",
      part_id: "text",
      version: "text",
      parts: "integer!",
      tokens: "integer!",
    },
  },
};

const STEPS: Columns = {
  ...PLACE_OF_STEP,
  step_id: "text!",
  run_id: "text!",
  label: "text!",
  name: "text",
  status: "text",
  origin: "text",
  agent_id: "text",
  started_at: "moment",
  ended_at: "moment",
  duration_ms: "integer",
  wait_ms: "integer",
  trace_id: "text",
  span_id: "text",
  parent_step_id: "text",
  error_type: "text",
  payload_started: "json",
  payload_completed: "json",
  error: "json",
  usage: "json",
  cost: "json",
};

/** Tables that nothing derives: what came. Each with its key. */
const KEPT: Readonly<
  Record<string, { readonly key: readonly string[]; readonly columns: Columns }>
> = {
  records: {
    key: ["digest"],
    columns: {
      digest: "text!",
      type: "text!",
      session_id: "text",
      trace_id: "text",
      span_id: "text",
      body: "bytes!",
    },
  },
  pieces: {
    key: ["scope", "sha256"],
    columns: { scope: "text!", sha256: "text!", body: "bytes!" },
  },
  lists: {
    key: ["scope", "id"],
    columns: { scope: "text!", id: "text!", previous: "text", piece: "text!" },
  },
  documents: {
    key: ["session_id"],
    columns: { session_id: "text!", revision: "integer!", body: "bytes!" },
  },
  sources: {
    key: ["path"],
    columns: { path: "text!", bytes: "integer!", modified_ms: "number!" },
  },
  sessions: {
    key: ["session_id"],
    columns: {
      session_id: "text!",
      revision: "integer!",
      title: "text",
      tags: "json",
      status: "text",
      status_reason: "text",
      origin: "text",
      user_id: "text",
      started_at: "moment",
      ended_at: "moment",
      last_at: "moment",
      runs: "integer!",
      steps: "integer!",
      cost_usd: "money",
      resource: "json",
    },
  },
};

/** For the questions that a store is asked: what they look rows up by, then what they read of them. */
const INDEXES: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ["records", ["trace_id"]],
  ["records", ["session_id"]],
  ["dirty", ["session_id"]],
  ["sessions", ["last_at"]],
  ["sessions", ["user_id"]],
  ["graph_runs", ["conversation_id", "start_time"]],
  ["graph_runs", ["user_id", "start_time"]],
  ["graph_runs", ["start_time"]],
  ["graph_runs", ["duration_ms"]],
  ["graph_runs", ["status", "last_at"]],
  ["graph_runs", ["id"]],
  ["node_runs", ["node_name", "duration_ms", "status", "start_time"]],
  ["llm_traces", ["model", "start_time"]],
  ["llm_traces", ["start_time"]],
  ["llm_traces", ["cost_usd"]],
  ["steps", ["label", "name", "status", "duration_ms", "started_at"]],
  ["steps", ["trace_id", "span_id"]],
  ["thoughts", ["confidence"]],
  ["snapshots", ["kind", "version"]],
  ["prompt_parts", ["type", "tokens"]],
];

/** Makes every table of the first version. */
export async function firstSchema(database: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const types = COLUMN_TYPES[kind];
  for (const [name, { key, columns }] of Object.entries(KEPT)) {
    await table(database, name, columns, types)
      .addPrimaryKeyConstraint(`${name}_key`, key as never)
      .execute();
  }
  const counted = table(database, "dirty", { session_id: "text", trace_id: "text" }, types);
  await counted.addColumn("id", types.serial, (column) => column.primaryKey()).execute();
  await ofSession(table(database, "steps", STEPS, types), "steps")
    .addColumn("id", types.serial, (column) => column.primaryKey())
    .addUniqueConstraint("steps_place", ["session_id", "run", "step"] as never)
    .execute();
  for (const [name, { key, columns }] of Object.entries(DERIVED)) {
    await ofSession(table(database, name, columns, types), name)
      .addPrimaryKeyConstraint(`${name}_key`, ["session_id", ...key] as never)
      .execute();
  }
  for (const [name, columns] of INDEXES) {
    await database.schema
      .createIndex(`${name}_by_${columns.join("_")}`)
      .on(name)
      .columns([...columns])
      .execute();
  }
  await addSearch(database, kind);
}

function table(database: Kysely<unknown>, name: string, columns: Columns, types: ColumnTypes) {
  let builder = database.schema.createTable(name);
  for (const [column, type] of Object.entries(columns)) {
    const isRequired = type.endsWith("!");
    const data = types[type.replace("!", "") as keyof ColumnTypes];
    builder = builder.addColumn(column, data, (one) => (isRequired ? one.notNull() : one));
  }
  return builder;
}

/** What is derived of a session goes with it. */
function ofSession(builder: ReturnType<typeof table>, name: string): ReturnType<typeof table> {
  return builder.addForeignKeyConstraint(
    `${name}_of_session`,
    ["session_id"] as never,
    "sessions",
    ["session_id"],
    (constraint) => constraint.onDelete("cascade"),
  );
}

async function addSearch(database: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const statements =
    kind === "sqlite"
      ? [
          // The words alone: the text itself stands in the step.
          sql`create virtual table step_search using fts5(words, content='', contentless_delete=1)`,
          sql`create trigger step_search_follows after delete on steps begin delete from step_search where rowid = old.id; end`,
        ]
      : [
          sql`create table step_search (step_row bigint primary key references steps(id) on delete cascade, words tsvector not null)`,
          sql`create index step_search_words on step_search using gin (words)`,
        ];
  for (const statement of statements) await statement.execute(database);
}
