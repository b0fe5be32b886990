import type { Generated } from "kysely";
import type { ListRow, PieceRow, RecordRow } from "./record-rows.ts";

/** JSON text, as it is written. */
type Json = string | null;
/** ISO 8601, UTC, milliseconds. */
type Moment = string | null;
/** US dollars, exact decimal text. */
type Money = string | null;

/** A document that came without its records: its bytes. */
export interface DocumentsTable {
  readonly session_id: string;
  readonly revision: number;
  readonly body: Uint8Array;
}

/** What a record that came said: this session, and whichever this trace belongs to, are to be derived again. */
export interface DirtyTable {
  readonly id: Generated<number>;
  readonly session_id: string | null;
  readonly trace_id: string | null;
}

/** What was read from where, to pass over what has not changed. */
export interface SourcesTable {
  readonly path: string;
  readonly bytes: number;
  readonly modified_ms: number;
}

export interface SessionsTable {
  readonly session_id: string;
  readonly revision: number;
  readonly title: string | null;
  readonly tags: Json;
  readonly status: string | null;
  readonly status_reason: string | null;
  readonly origin: string | null;
  readonly user_id: string | null;
  readonly started_at: Moment;
  readonly ended_at: Moment;
  /** The latest moment that its steps tell of. */
  readonly last_at: Moment;
  readonly runs: number;
  readonly steps: number;
  readonly cost_usd: Money;
  readonly resource: Json;
}

/** A place in a session: every derived row has one. */
interface InRun {
  readonly session_id: string;
  /** Position of the run in its session, from 0. */
  readonly run: number;
}

interface InStep extends InRun {
  /** Position of the step in its run, from 0. */
  readonly step: number;
}

export interface GraphRunsTable extends InRun {
  readonly id: string;
  readonly user_id: string | null;
  readonly conversation_id: string;
  readonly status: string;
  /** 1 where it never ended, which GraphRun's words call an error; else 0. */
  readonly is_abandoned: number;
  readonly start_time: Moment;
  readonly end_time: Moment;
  readonly duration_ms: number | null;
  readonly error_trace: string | null;
  readonly initial_state: Json;
  readonly final_state: Json;
  readonly name: string | null;
  readonly channel: string | null;
  readonly agent: string | null;
  readonly trigger: string | null;
  readonly origin: string | null;
  readonly status_reason: string | null;
  readonly trace_id: string | null;
  readonly span_id: string | null;
  /** The latest moment that a step of the run tells of. */
  readonly last_at: Moment;
  readonly steps: number;
  readonly model_calls: number;
  readonly tool_calls: number;
  readonly errors: number;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly cost_usd: Money;
  /** Model calls without a price. */
  readonly unpriced_calls: number;
}

export interface NodeRunsTable extends InStep {
  readonly id: string;
  readonly graph_run_id: string;
  readonly node_name: string;
  readonly start_time: Moment;
  readonly end_time: Moment;
  readonly duration_ms: number | null;
  readonly status: string;
  /** As of a run. */
  readonly is_abandoned: number;
  readonly error_trace: string | null;
  readonly parent_node_run_id: string | null;
}

export interface LlmTracesTable extends InStep {
  readonly id: string;
  /** 1, or 0 for what a program counted of calls that tell nothing. */
  readonly is_call: number;
  readonly graph_run_id: string;
  readonly node_run_id: string | null;
  readonly model: string | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly total_tokens: number | null;
  readonly cached_tokens: number | null;
  readonly cache_write_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly cost_usd: Money;
  readonly input_cost_usd: Money;
  readonly output_cost_usd: Money;
  readonly cost_status: string | null;
  readonly price_table: string | null;
  /** The day whose prices were taken: `2026-11-01`. */
  readonly price_date: string | null;
  readonly start_time: Moment;
  readonly end_time: Moment;
  readonly duration_ms: number | null;
  readonly status: string;
  /** As of a run. */
  readonly is_abandoned: number;
  readonly error_trace: string | null;
  readonly input_messages: Json;
  readonly output_message: Json;
  readonly raw_request: Json;
  readonly raw_response: Json;
  readonly operation: string | null;
  readonly response_id: string | null;
  readonly user_id: string | null;
  readonly agent: string | null;
  /** The tool in which it was made; null outside of any. */
  readonly tool: string | null;
  /** The name of its node; null outside of any. */
  readonly node: string | null;
}

export interface StepsTable extends InStep {
  readonly id: Generated<number>;
  readonly step_id: string;
  readonly run_id: string;
  readonly label: string;
  readonly name: string | null;
  readonly status: string | null;
  readonly origin: string | null;
  readonly agent_id: string | null;
  readonly started_at: Moment;
  readonly ended_at: Moment;
  readonly duration_ms: number | null;
  readonly wait_ms: number | null;
  readonly trace_id: string | null;
  readonly span_id: string | null;
  readonly parent_step_id: string | null;
  readonly error_type: string | null;
  readonly payload_started: Json;
  readonly payload_completed: Json;
  readonly error: Json;
  readonly usage: Json;
  readonly cost: Json;
}

export interface EdgesTable extends InStep {
  readonly edge: number;
  readonly from_step: string;
  readonly to_step: string;
  readonly type: string;
  readonly origin: string;
  readonly confidence: number | null;
  readonly evidence: string | null;
}

export interface ThoughtsTable extends InStep {
  readonly id: string;
  readonly thought_type: string | null;
  readonly thought: string | null;
  /** 0 to 1; the words of people as 0.9, 0.6, 0.3. */
  readonly confidence: number | null;
  readonly thought_number: number | null;
  readonly branch_id: string | null;
  readonly details: Json;
}

export interface AgentsTable {
  readonly session_id: string;
  readonly agent: number;
  readonly agent_id: string | null;
  readonly name: string | null;
  readonly details: Json;
}

export interface SnapshotsTable extends InStep {
  readonly id: string;
  readonly kind: string;
  readonly version: string | null;
  readonly details: Json;
}

export interface ScoresTable {
  readonly session_id: string;
  readonly score: number;
  readonly run_id: string | null;
  readonly step_id: string | null;
  readonly edge: string | null;
  readonly name: string | null;
  readonly value: number | null;
  readonly label: string | null;
  readonly source: string | null;
  readonly author: string | null;
  readonly explanation: string | null;
  readonly scored_at: Moment;
}

/** The parts of one model call's prompt, one row for each type, id and version. */
export interface PromptPartsTable extends InStep {
  readonly part: number;
  readonly type: string;
  readonly part_id: string | null;
  readonly version: string | null;
  readonly parts: number;
  /** Its share of the input tokens that the provider counted, by length; their sum is the provider's count. */
  readonly tokens: number;
  /** Its share of what the input cost; the sum over a call's parts is `input_cost_usd`. */
  readonly cost_usd: Money;
}

/** Full text by step: in SQLite an FTS5 table, in PostgreSQL words and an index. */
export interface StepSearchTable {
  readonly step_row: number;
  readonly words: string;
}

/** What a step says, of which `step_search` has the words. */
export interface StepTextsTable {
  readonly step_row: number;
  readonly text: string;
}

/** Every table of a store. */
export interface Tables {
  readonly records: RecordRow;
  readonly pieces: PieceRow;
  readonly lists: ListRow;
  readonly documents: DocumentsTable;
  readonly dirty: DirtyTable;
  readonly sources: SourcesTable;
  readonly sessions: SessionsTable;
  readonly graph_runs: GraphRunsTable;
  readonly node_runs: NodeRunsTable;
  readonly llm_traces: LlmTracesTable;
  readonly steps: StepsTable;
  readonly edges: EdgesTable;
  readonly thoughts: ThoughtsTable;
  readonly agents: AgentsTable;
  readonly snapshots: SnapshotsTable;
  readonly scores: ScoresTable;
  readonly prompt_parts: PromptPartsTable;
  readonly step_search: StepSearchTable;
  readonly step_texts: StepTextsTable;
}
