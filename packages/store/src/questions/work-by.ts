import { type RawBuilder, sql } from "kysely";
import { type Columns, type Report, report } from "../report.ts";
import type { Store } from "../store.ts";
import { withRate } from "./calls-by.ts";
import { percentile, ranked } from "./percentile.ts";
import { isSince, type Since } from "./since.ts";

/** Work beside that of models: tools by name, nodes by name. */
export type WorkKey = "tool" | "node";

const SOURCES: Readonly<
  Record<
    WorkKey,
    {
      readonly rows: RawBuilder<unknown>;
      readonly key: string;
      readonly start: string;
      readonly failed: RawBuilder<unknown>;
    }
  >
> = {
  tool: {
    rows: sql`(select * from steps where label = 'tool_call') as tools`,
    key: "name",
    start: "started_at",
    failed: sql`status = 'error'`,
  },
  node: {
    rows: sql`node_runs`,
    key: "node_name",
    start: "start_time",
    failed: sql`status = 'ERROR'`,
  },
};

const COLUMNS: Columns = {
  runs: "integer",
  errors: "integer",
  error_rate: "number",
  without_end: "integer",
  p50_ms: "duration",
  p95_ms: "duration",
  max_ms: "duration",
};

const COSTS: Columns = { model_calls: "integer", cost_usd: "money" };

/** How often, how long and how well tools or nodes ran, and what model calls inside tools cost; what fails most first. */
export async function workBy(store: Store, by: WorkKey, when: Since = {}): Promise<Report> {
  const { database, flavour } = store;
  const { rows: source, key, start, failed } = SOURCES[by];
  const name = sql.ref(key);
  const { rows } = await sql<object>`with work as (
      select ${name} as key, case when ${failed} then 1 else 0 end as failed, duration_ms, ${ranked(name)}
      from ${source} where ${isSince(start, when)})
    select key as ${sql.ref(by)}, count(*) as runs, sum(failed) as errors, avg(failed * 1.0) as error_rate,
      sum(case when duration_ms is null then 1 else 0 end) as without_end,
      ${percentile(50)} as p50_ms, ${percentile(95)} as p95_ms, max(duration_ms) as max_ms
    from work group by key order by errors desc, runs desc, key`.execute(database);
  const columns = { [by]: "text", ...COLUMNS } as const;
  if (by === "node") return report(columns, rows.map(withRate));
  const inside = await sql<{ readonly tool: string }>`select tool, count(*) as model_calls,
      ${flavour.sumOfMoney("cost_usd")} as cost_usd
    from llm_traces where tool is not null and ${isSince("start_time", when)} group by tool`.execute(
    database,
  );
  const costs = new Map(inside.rows.map((row) => [row.tool, row]));
  return report(
    { ...columns, ...COSTS },
    rows.map((row) => ({
      model_calls: 0,
      ...withRate(row),
      ...costs.get((row as { readonly tool: string }).tool),
    })),
  );
}
