import { sql } from "kysely";
import { type Columns, type Report, report } from "../report.ts";
import type { Store } from "../store.ts";
import { isSince, type Since } from "./since.ts";

const COLUMNS: Columns = {
  sessions: "integer",
  runs: "integer",
  completed: "integer",
  errors: "integer",
  abandoned: "integer",
  aborted: "integer",
  running: "integer",
  steps: "integer",
  model_calls: "integer",
  tool_calls: "integer",
  prompt_tokens: "integer",
  completion_tokens: "integer",
  cost_usd: "money",
  unpriced_calls: "integer",
};

/** Everything in one row: how many, how they ended, what they took. */
export async function overview({ database, flavour }: Store, when: Since = {}): Promise<Report> {
  const { rows } = await sql<object>`select
    count(distinct session_id) as sessions,
    count(*) as runs,
    coalesce(sum(case when status = 'COMPLETED' then 1 else 0 end), 0) as completed,
    coalesce(sum(case when status = 'ERROR' and is_abandoned = 0 then 1 else 0 end), 0) as errors,
    cast(coalesce(sum(is_abandoned), 0) as bigint) as abandoned,
    coalesce(sum(case when status = 'ABORTED' then 1 else 0 end), 0) as aborted,
    coalesce(sum(case when status = 'RUNNING' then 1 else 0 end), 0) as running,
    cast(coalesce(sum(steps), 0) as bigint) as steps,
    cast(coalesce(sum(model_calls), 0) as bigint) as model_calls,
    cast(coalesce(sum(tool_calls), 0) as bigint) as tool_calls,
    sum(cast(prompt_tokens as double precision)) as prompt_tokens,
    sum(cast(completion_tokens as double precision)) as completion_tokens,
    ${flavour.sumOfMoney("cost_usd")} as cost_usd,
    cast(coalesce(sum(unpriced_calls), 0) as bigint) as unpriced_calls
    from graph_runs where ${isSince("start_time", when)}`.execute(database);
  return report(COLUMNS, rows);
}
