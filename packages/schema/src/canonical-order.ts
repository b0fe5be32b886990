/** One level of the document. */
export interface Level {
  /** The known keys in writing order, each with its place. */
  readonly ranks: ReadonlyMap<string, number>;
  /** By key: the level of the object there, or of each object in the list there. */
  readonly below: ReadonlyMap<string, Level>;
}

function level(keys: readonly string[], below: Readonly<Record<string, Level>> = {}): Level {
  return {
    ranks: new Map(keys.map((key, at) => [key, at])),
    below: new Map(Object.entries(below)),
  };
}

const TOKENS = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_write_input_tokens",
  "reasoning_output_tokens",
  "text_input_tokens",
  "text_output_tokens",
  "image_input_tokens",
  "image_output_tokens",
  "audio_input_tokens",
  "audio_output_tokens",
  "text_cache_read_input_tokens",
  "image_cache_read_input_tokens",
  "audio_cache_read_input_tokens",
];

const EDGE: Level = level(["to", "type", "origin", "confidence", "evidence"]);
const ERROR: Level = level(["type", "message", "stack"]);
const USAGE: Level = level(TOKENS);
const COST: Level = level([
  "status",
  "currency",
  "total",
  "input",
  "cached_input",
  "output",
  "stated",
  "model",
  "price_table",
  "price_date",
]);
const TOTAL_COST: Level = level(["currency", "total", "calls"]);
const TOTALS: Level = level(
  [
    "runs",
    "steps",
    "model_calls",
    "tool_calls",
    "thoughts",
    "branches",
    "errors",
    ...TOKENS,
    "cost",
  ],
  { cost: TOTAL_COST },
);

/** A step. */
export const STEP_LEVEL: Level = level(
  [
    "step_id",
    "label",
    "depends_on",
    "started_at",
    "ended_at",
    "duration_ms",
    "wait_ms",
    "status",
    "origin",
    "trace_id",
    "span_id",
    "parent_step_id",
    "outer_span_id",
    "agent_id",
    "aliases",
    "payload_started",
    "payload_completed",
    "usage",
    "cost",
    "error",
    "edges",
    "attributes",
  ],
  { usage: USAGE, cost: COST, error: ERROR, edges: EDGE },
);

/** A run. */
export const RUN_LEVEL: Level = level(
  [
    "conversation_id",
    "run_id",
    "name",
    "origin",
    "channel",
    "status",
    "status_reason",
    "started_at",
    "ended_at",
    "duration_ms",
    "trace_id",
    "span_id",
    "agent",
    "user",
    "trigger",
    "previous_run",
    "initial_state",
    "final_state",
    "error",
    "totals",
    "attributes",
    "steps",
  ],
  { error: ERROR, totals: TOTALS, steps: STEP_LEVEL },
);

const COMPLETENESS: Level = level(
  ["status", "open_steps", "missing_parents", "truncated", "unsampled"],
  { truncated: level(["links", "attributes", "events", "content"]) },
);

const AGENT: Level = level(
  [
    "agent_id",
    "ordinal",
    "name",
    "models",
    "parent_agent_id",
    "spawned_by",
    "origin",
    "started_at",
    "ended_at",
    "totals",
  ],
  { totals: TOTALS },
);

/** The order in which a session is written: the order of the schema, long lists last. */
export const SESSION_LEVEL: Level = level(
  [
    "schema_version",
    "session_id",
    "revision",
    "title",
    "tags",
    "status",
    "status_reason",
    "reopened",
    "origin",
    "confidence",
    "started_at",
    "ended_at",
    "user",
    "resource",
    "totals",
    "completeness",
    "agents",
    "warnings",
    "conflicts",
    "conversations",
    "parts",
  ],
  {
    totals: TOTALS,
    completeness: COMPLETENESS,
    agents: AGENT,
    warnings: level(["code", "message", "step_id"]),
    conflicts: level(["trace_id", "span_id", "body"]),
    conversations: RUN_LEVEL,
    parts: level(["path", "runs", "steps", "bytes", "sha256"]),
  },
);
