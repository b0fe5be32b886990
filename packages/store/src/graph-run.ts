import type { Run, Session, Step } from "@thoughtflow/schema";
import { type RawCalls, rawCallsOf } from "./raw-calls.ts";
import { columnText } from "./rows/column-values.ts";
import { inputMessages, outputMessage, type TraceMessage } from "./rows/messages.ts";
import type { GraphStatus } from "./rows/run-status.ts";
import type { Store } from "./store.ts";
import { readStoredSession } from "./stored-session.ts";
import type { GraphRunsTable, LlmTracesTable, NodeRunsTable } from "./tables.ts";

/** One call of a model. Times are ISO 8601, UTC; money is exact decimal text, null where it is unknown. */
export interface LLMTrace {
  readonly id: string;
  /** Null where the call is part of no node. */
  readonly nodeRunId: string | null;
  readonly model: string | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly totalTokens: number | null;
  readonly costUsd: string | null;
  readonly startTime: string | null;
  readonly endTime: string | null;
  readonly durationMs: number | null;
  readonly errorTrace: string | null;
  /** The whole conversation, however long. */
  readonly inputMessages: readonly TraceMessage[];
  readonly outputMessage: TraceMessage | null;
  /** Null where raw calls were not captured. */
  readonly rawRequest: unknown;
  readonly rawResponse: unknown;
}

/** One node of a run; without `endTime` it is where the run broke. */
export interface NodeRun {
  readonly id: string;
  readonly graphRunId: string;
  readonly nodeName: string;
  readonly startTime: string | null;
  readonly endTime: string | null;
  readonly durationMs: number | null;
  readonly status: GraphStatus;
  readonly errorTrace: string | null;
  readonly parentNodeRunId: string | null;
  readonly llmTraces: readonly LLMTrace[];
}

/** One run, with all that it did. Source: seed 004. */
export interface GraphRun {
  readonly id: string;
  readonly userId: string | null;
  /** The session. */
  readonly conversationId: string;
  readonly status: GraphStatus;
  readonly startTime: string | null;
  readonly endTime: string | null;
  readonly durationMs: number | null;
  readonly errorTrace: string | null;
  readonly initialState: unknown;
  readonly finalState: unknown;
  readonly nodeRuns: readonly NodeRun[];
  /** Those that are part of no node. */
  readonly llmTraces: readonly LLMTrace[];
}

/** The runs of that id: one, unless sessions share it. */
export async function graphRuns(store: Store, id: string): Promise<readonly GraphRun[]> {
  const rows = await store.database
    .selectFrom("graph_runs")
    .selectAll()
    .where("id", "=", columnText(id))
    .orderBy("start_time")
    .execute();
  return await Promise.all(rows.map((row) => graphRunOf(store, row)));
}

async function graphRunOf(store: Store, row: GraphRunsTable): Promise<GraphRun> {
  const of = <T extends "node_runs" | "llm_traces">(table: T) =>
    store.database
      .selectFrom(table as "node_runs")
      .selectAll()
      .where("session_id", "=", row.session_id)
      .where("run", "=", row.run)
      .orderBy("step");
  const nodes: readonly NodeRunsTable[] = await of("node_runs").execute();
  const calls = (await of("llm_traces").execute()) as unknown as readonly LlmTracesTable[];
  const stored = await readStoredSession(store, row.session_id);
  const run = stored?.session.conversations[row.run];
  const rawCalls = rawCallsOf(stored?.records ?? []);
  const traces = calls.map((call) =>
    llmTraceOf(call, run?.steps[call.step], { session: stored?.session, run, rawCalls }),
  );
  return {
    id: row.id,
    userId: row.user_id,
    conversationId: row.conversation_id,
    status: row.status as GraphStatus,
    startTime: row.start_time,
    endTime: row.end_time,
    durationMs: row.duration_ms,
    errorTrace: row.error_trace,
    initialState: run?.initial_state ?? null,
    finalState: run?.final_state ?? null,
    nodeRuns: nodes.map((node) => ({
      id: node.id,
      graphRunId: node.graph_run_id,
      nodeName: node.node_name,
      startTime: node.start_time,
      endTime: node.end_time,
      durationMs: node.duration_ms,
      status: node.status as GraphStatus,
      errorTrace: node.error_trace,
      parentNodeRunId: node.parent_node_run_id,
      llmTraces: traces.filter(({ nodeRunId }) => nodeRunId === node.id),
    })),
    llmTraces: traces.filter(({ nodeRunId }) => nodeRunId === null),
  };
}

interface Around {
  readonly session: Session | undefined;
  readonly run: Run | undefined;
  readonly rawCalls: RawCalls;
}

function llmTraceOf(
  row: LlmTracesTable,
  call: Step | undefined,
  { session, run, rawCalls }: Around,
): LLMTrace {
  const raw = rawCalls(call?.trace_id, call?.span_id);
  return {
    id: row.id,
    nodeRunId: row.node_run_id,
    model: row.model,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    totalTokens: row.total_tokens,
    costUsd: row.cost_usd,
    startTime: row.start_time,
    endTime: row.end_time,
    durationMs: row.duration_ms,
    errorTrace: row.error_trace,
    inputMessages: session && run && call ? inputMessages(session, run, call) : [],
    outputMessage: (call && outputMessage(call)) ?? null,
    rawRequest: raw.request ?? null,
    rawResponse: raw.response ?? null,
  };
}
