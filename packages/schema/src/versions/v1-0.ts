/**
 * The shape of version 1.0, frozen. It is never edited after its release: a change of `document.ts` makes a new
 * version, with a frozen type, an upgrade step and a fixture of its own.
 */
export type SessionV1 = {
  [key: string]: unknown;
  schema_version?: string | undefined;
  session_id: string;
  revision?: number | undefined;
  title?: string | undefined;
  tags?: string[] | undefined;
  status?: string | undefined;
  status_reason?: string | undefined;
  reopened?: boolean | undefined;
  origin?: EdgeOriginV1 | undefined;
  confidence?: number | undefined;
  started_at?: string | undefined;
  ended_at?: string | undefined;
  user?: string | undefined;
  resource?: Record<string, unknown> | undefined;
  totals?: TotalsV1 | undefined;
  completeness?: CompletenessV1 | undefined;
  agents?: AgentV1[] | undefined;
  warnings?: WarningV1[] | undefined;
  conflicts?: ConflictV1[] | undefined;
  conversations: RunV1[];
  parts?: PartV1[] | undefined;
};

type PartV1 = {
  [key: string]: unknown;
  path: string;
  runs: number;
  steps: number;
  bytes: number;
  sha256: string;
};

type AgentV1 = {
  [key: string]: unknown;
  agent_id: string;
  ordinal?: number | undefined;
  name?: string | undefined;
  models?: string[] | undefined;
  parent_agent_id?: string | undefined;
  spawned_by?: string | undefined;
  origin?: "declared" | "observed" | "inferred" | undefined;
  started_at?: string | undefined;
  ended_at?: string | undefined;
  totals?: TotalsV1 | undefined;
};

type RunV1 = {
  [key: string]: unknown;
  conversation_id: string;
  run_id?: string | undefined;
  name?: string | undefined;
  origin?: string | undefined;
  channel?: string | undefined;
  status?: string | undefined;
  status_reason?: string | undefined;
  started_at?: string | undefined;
  ended_at?: string | undefined;
  duration_ms?: number | undefined;
  trace_id?: string | undefined;
  span_id?: string | undefined;
  agent?: string | undefined;
  user?: string | undefined;
  trigger?: string | undefined;
  previous_run?: string | undefined;
  initial_state?: unknown;
  final_state?: unknown;
  error?: ErrorV1 | undefined;
  totals?: TotalsV1 | undefined;
  attributes?: Record<string, unknown> | undefined;
  steps: StepV1[];
};

type StepV1 = {
  [key: string]: unknown;
  step_id: string;
  label: string;
  depends_on?: string | string[] | undefined;
  started_at?: string | undefined;
  ended_at?: string | undefined;
  duration_ms?: number | undefined;
  wait_ms?: number | undefined;
  status?: string | undefined;
  origin?: string | undefined;
  trace_id?: string | undefined;
  span_id?: string | undefined;
  parent_step_id?: string | undefined;
  outer_span_id?: string | undefined;
  agent_id?: string | undefined;
  aliases?: string[] | undefined;
  payload_started?: Record<string, unknown> | undefined;
  payload_completed?: Record<string, unknown> | undefined;
  usage?: UsageV1 | undefined;
  cost?: CostV1 | undefined;
  error?: ErrorV1 | undefined;
  edges?: EdgeV1[] | undefined;
  attributes?: Record<string, unknown> | undefined;
};

type EdgeV1 = {
  [key: string]: unknown;
  to: string;
  type: string;
  origin: EdgeOriginV1;
  confidence?: number | undefined;
  evidence?: string | undefined;
};

type EdgeOriginV1 = "declared" | "observed" | "inferred";

type ErrorV1 = {
  [key: string]: unknown;
  type?: string | undefined;
  message?: string | undefined;
  stack?: string | undefined;
};

type UsageV1 = {
  [key: string]: unknown;
  input_tokens?: number | undefined;
  output_tokens?: number | undefined;
  cache_read_input_tokens?: number | undefined;
  cache_write_input_tokens?: number | undefined;
  reasoning_output_tokens?: number | undefined;
  text_input_tokens?: number | undefined;
  text_output_tokens?: number | undefined;
  image_input_tokens?: number | undefined;
  image_output_tokens?: number | undefined;
  audio_input_tokens?: number | undefined;
  audio_output_tokens?: number | undefined;
  text_cache_read_input_tokens?: number | undefined;
  image_cache_read_input_tokens?: number | undefined;
  audio_cache_read_input_tokens?: number | undefined;
};

type CostV1 = {
  [key: string]: unknown;
  status: string;
  currency: string;
  total: string | null;
  input?: string | null | undefined;
  cached_input?: string | null | undefined;
  output?: string | null | undefined;
  stated?: string | null | undefined;
  model?: string | undefined;
  price_table?: string | undefined;
  price_date?: string | undefined;
};

type TotalCostV1 = {
  [key: string]: unknown;
  currency: string;
  total: string | null;
  calls: Record<string, number>;
};

type TotalsV1 = {
  [key: string]: unknown;
  runs?: number | undefined;
  steps: number;
  model_calls: number;
  tool_calls: number;
  thoughts?: number | undefined;
  branches?: number | undefined;
  errors: number;
  input_tokens?: number | undefined;
  output_tokens?: number | undefined;
  cache_read_input_tokens?: number | undefined;
  cache_write_input_tokens?: number | undefined;
  reasoning_output_tokens?: number | undefined;
  text_input_tokens?: number | undefined;
  text_output_tokens?: number | undefined;
  image_input_tokens?: number | undefined;
  image_output_tokens?: number | undefined;
  audio_input_tokens?: number | undefined;
  audio_output_tokens?: number | undefined;
  text_cache_read_input_tokens?: number | undefined;
  image_cache_read_input_tokens?: number | undefined;
  audio_cache_read_input_tokens?: number | undefined;
  cost?: TotalCostV1 | undefined;
};

type CompletenessV1 = {
  [key: string]: unknown;
  status: "complete" | "partial";
  open_steps?: string[] | undefined;
  missing_parents?: string[] | undefined;
  truncated?:
    | {
        [key: string]: unknown;
        links?: number | undefined;
        attributes?: number | undefined;
        events?: number | undefined;
        content?: number | undefined;
      }
    | undefined;
  unsampled?: number | undefined;
};

type WarningV1 = {
  [key: string]: unknown;
  code: string;
  message: string;
  step_id?: string | undefined;
};

type ConflictV1 = {
  [key: string]: unknown;
  trace_id: string;
  span_id: string;
  body: string;
};
