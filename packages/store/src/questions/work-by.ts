import { type RawBuilder, sql } from "kysely";
import { type Columns, type Report, report } from "../report.ts";
import type { Store } from "../store.ts";
import { withRate } from "./calls-by.ts";
import { knownDuration } from "./known-times.ts";
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
      readonly abandoned: RawBuilder<unknown>;
    }
  >
> = {
  tool: {
    rows: sql`(select name, status, duration_ms, started_at from steps where label = 'tool_call') as tools`,
    key: "name",
    start: "started_at",
    failed: sql`status = 'error'`,
    abandoned: sql`status = 'abandoned'`,
  },
  node: {
    rows: sql`node_runs`,
    key: "node_name",
    start: "start_time",
    failed: sql`status = 'ERROR' and is_abandoned = 0`,
    abandoned: sql`is_abandoned = 1`,
  },
};

const COLUMNS: Columns = {
  runs: "integer",
  errors: "integer",
  error_rate: "rate",
  abandoned: "integer",
  without_end: "integer",
  p50_ms: "duration",
  p95_ms: "duration",
  max_ms: "duration",
  model_calls: "integer",
  cost_usd: "money",
};

/** How often, how long and how well tools or nodes ran, and what the model calls inside them cost; what fails most first. */
export async function workBy(store: Store, by: WorkKey, when: Since = {}): Promise<Report> {
  const { database, flavour } = store;
  const { rows: source, key, start, failed, abandoned } = SOURCES[by];
  const name = sql.ref(key);
  const duration = knownDuration("duration_ms", start);
  const { rows } = await sql<object>`select ${name} as ${sql.ref(by)}, count(*) as runs,
      sum(case when ${failed} then 1 else 0 end) as errors,
      avg(case when ${failed} then 1.0 else 0.0 end) as error_rate,
      sum(case when ${abandoned} then 1 else 0 end) as abandoned,
      sum(case when duration_ms is null then 1 else 0 end) as without_end,
      ${flavour.percentile(duration, 50)} as p50_ms, ${flavour.percentile(duration, 95)} as p95_ms,
      max(${duration}) as max_ms
    from ${source} where ${isSince(start, when)} group by ${name}
    order by errors desc, abandoned desc, runs desc, ${name}`.execute(database);
  const inside =
    await sql<object>`select ${sql.ref(by)}, cast(sum(is_call) as bigint) as model_calls,
      ${flavour.sumOfMoney("cost_usd")} as cost_usd
    from llm_traces where ${sql.ref(by)} is not null and ${isSince("start_time", when)}
    group by ${sql.ref(by)}`.execute(database);
  const nameOf = (row: object) => (row as Readonly<Record<WorkKey, string>>)[by];
  const costs = new Map(inside.rows.map((row) => [nameOf(row), row]));
  return report(
    { [by]: "text", ...COLUMNS },
    rows.map((row) => ({ model_calls: 0, ...withRate(row), ...costs.get(nameOf(row)) })),
  );
}
