import type { Run, Session, Step } from "@thoughtflow/schema";
import { boundedRequest, newest, type RawCalls } from "../raw-calls.ts";
import type { LlmTracesTable } from "../tables.ts";
import {
  columnText,
  integerOrNull,
  jsonOrNull,
  momentOrNull,
  moneyOrNull,
  textOrNull,
} from "./column-values.ts";
import { isModelCall } from "./counted-steps.ts";
import { inputMessages, outputMessage } from "./messages.ts";
import type { NodeTree } from "./node-tree.ts";
import { nodeName } from "./run-rows.ts";
import { errorTrace, graphStatus, isAbandoned } from "./run-status.ts";

/** A row holds so much of a conversation; the whole of it is in the document. */
const MOST_CHARACTERS = 256 * 1024;

/** The row of a model call, or of what calls took that tell nothing. */
export function llmTrace(
  session: Session,
  run: Run,
  call: Step,
  place: { readonly run: number; readonly step: number },
  tree: NodeTree,
  rawCalls: RawCalls,
): LlmTracesTable {
  const { usage = {}, cost, payload_started: started = {}, payload_completed: completed } = call;
  const prompt = integerOrNull(usage.input_tokens);
  const completion = integerOrNull(usage.output_tokens);
  const raw = rawCalls(call.trace_id, call.span_id);
  const node = tree.nodeAround(call);
  return {
    session_id: columnText(session.session_id),
    ...place,
    id: columnText(call.step_id),
    graph_run_id: columnText(run.conversation_id),
    node_run_id: textOrNull(node?.step_id),
    model: textOrNull(completed?.["model"] ?? started["model"] ?? cost?.model),
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens:
      prompt === null && completion === null
        ? null
        : integerOrNull((prompt ?? 0) + (completion ?? 0)),
    cached_tokens: integerOrNull(usage.cache_read_input_tokens),
    cache_write_tokens: integerOrNull(usage.cache_write_input_tokens),
    reasoning_tokens: integerOrNull(usage.reasoning_output_tokens),
    cost_usd: moneyOrNull(cost?.total),
    input_cost_usd: moneyOrNull(cost?.input),
    output_cost_usd: moneyOrNull(cost?.output),
    cost_status: textOrNull(cost?.status),
    price_table: textOrNull(cost?.price_table),
    price_date: textOrNull(cost?.price_date),
    start_time: momentOrNull(call.started_at),
    end_time: momentOrNull(call.ended_at),
    is_call: isModelCall(call) ? 1 : 0,
    duration_ms: isModelCall(call) ? integerOrNull(call.duration_ms) : null,
    status: graphStatus(call.status, call.ended_at !== undefined),
    is_abandoned: isAbandoned(call.status),
    error_trace: errorTrace(call.status, call.error, run.status_reason),
    input_messages: jsonOrNull(newest(inputMessages(session, run, call), MOST_CHARACTERS)),
    output_message: jsonOrNull(outputMessage(call)),
    raw_request: boundedRequest(raw.request),
    raw_response: jsonOrNull(raw.response),
    operation: textOrNull(started["name"]),
    response_id: textOrNull(completed?.["response_id"]),
    user_id: textOrNull(run.user ?? session.user),
    agent: textOrNull(call.agent_id ?? run.agent),
    tool: textOrNull(tree.toolAround(call)?.payload_started?.["name"]),
    node: node === undefined ? null : nodeName(node),
  };
}
