import { decimalSum } from "@thoughtflow/assemble";
import type { Run, Session, Step } from "@thoughtflow/schema";
import type { GraphRunsTable, NodeRunsTable } from "../tables.ts";
import {
  columnText,
  integerOrNull,
  jsonOrNull,
  longTextOrNull,
  momentOrNull,
  moneyOrNull,
  textOrNull,
} from "./column-values.ts";
import { isModelCall } from "./counted-steps.ts";
import type { NodeTree } from "./node-tree.ts";
import { errorTrace, graphStatus, isAbandoned } from "./run-status.ts";

/** The row of a run; `calls` are the steps that tell what its model calls took. */
export function graphRun(
  session: Session,
  run: Run,
  position: number,
  calls: readonly Step[],
): GraphRunsTable {
  const id = columnText(run.conversation_id);
  const session_id = columnText(session.session_id);
  const { totals } = run;
  return {
    session_id,
    run: position,
    id,
    user_id: textOrNull(run.user ?? session.user),
    conversation_id: session_id,
    status: graphStatus(run.status, run.ended_at !== undefined),
    is_abandoned: isAbandoned(run.status),
    start_time: momentOrNull(run.started_at),
    end_time: momentOrNull(run.ended_at),
    duration_ms: integerOrNull(run.duration_ms),
    error_trace: errorTrace(run.status, run.error, run.status_reason),
    initial_state: jsonOrNull(run.initial_state),
    final_state: jsonOrNull(run.final_state),
    name: textOrNull(run.name),
    channel: textOrNull(run.channel),
    agent: textOrNull(run.agent),
    trigger: textOrNull(run.trigger),
    origin: textOrNull(run.origin),
    status_reason: longTextOrNull(run.status_reason),
    trace_id: textOrNull(run.trace_id),
    span_id: textOrNull(run.span_id),
    last_at: lastMoment([run]),
    steps: run.steps.length,
    model_calls: calls.filter(isModelCall).length,
    tool_calls: totals?.tool_calls ?? run.steps.filter(({ label }) => label === "tool_call").length,
    errors: totals?.errors ?? run.steps.filter(({ status }) => status === "error").length,
    prompt_tokens: tokensOf(calls, "input_tokens"),
    completion_tokens: tokensOf(calls, "output_tokens"),
    cost_usd: sumOfCosts(calls),
    unpriced_calls: calls.filter(
      (call) => isModelCall(call) && moneyOrNull(call.cost?.total) === null,
    ).length,
  };
}

/** The row of a node; without an end it is where the run broke. */
export function nodeRun(
  session: Session,
  run: Run,
  node: Step,
  place: { readonly run: number; readonly step: number },
  tree: NodeTree,
): NodeRunsTable {
  return {
    session_id: columnText(session.session_id),
    ...place,
    id: columnText(node.step_id),
    graph_run_id: columnText(run.conversation_id),
    node_name: nodeName(node),
    start_time: momentOrNull(node.started_at),
    end_time: momentOrNull(node.ended_at),
    duration_ms: integerOrNull(node.duration_ms),
    status: graphStatus(node.status, node.ended_at !== undefined),
    is_abandoned: isAbandoned(node.status),
    error_trace: errorTrace(node.status, node.error, run.status_reason),
    parent_node_run_id: textOrNull(tree.nodeAround(node)?.step_id),
  };
}

/** What a node is called; one without a name is called what it is. */
export function nodeName({ label, payload_started: started }: Step): string {
  const name = started?.["name"];
  return columnText(typeof name === "string" ? name : label);
}

/** The exact sum of what calls cost; null where none has an amount. */
export function sumOfCosts(calls: readonly Step[]): string | null {
  const amounts = calls.map(({ cost }) => moneyOrNull(cost?.total)).filter((one) => one !== null);
  return amounts.length === 0 ? null : decimalSum(amounts);
}

/** The latest moment that runs or their steps tell of. */
export function lastMoment(runs: readonly Run[]): string | null {
  let last: string | null = null;
  for (const run of runs) {
    for (const { started_at, ended_at } of [run, ...run.steps]) {
      for (const moment of [momentOrNull(started_at), momentOrNull(ended_at)])
        if (moment !== null && (last === null || moment > last)) last = moment;
    }
  }
  return last;
}

function tokensOf(calls: readonly Step[], key: "input_tokens" | "output_tokens"): number | null {
  const counts = calls.map(({ usage }) => usage?.[key]).filter((count) => count !== undefined);
  return counts.length === 0 ? null : integerOrNull(counts.reduce((sum, count) => sum + count, 0));
}
