import { type RawBuilder, sql } from "kysely";
import { type Columns, type Report, report } from "../report.ts";
import type { Store } from "../store.ts";
import { knownDuration } from "./known-times.ts";
import { isSince, type Since } from "./since.ts";

/** Which runs are asked for: those that say they run, and said nothing for a while, are stuck. */
export type RunOrder = "latest" | "slowest" | "expensive" | "failed" | "stuck";

export interface RunsOptions extends Since {
  readonly limit: number;
  /** A running run whose last sign is before this moment is stuck. ISO 8601, UTC. */
  readonly silentSince: string;
}

const COLUMNS: Columns = {
  run: "text",
  session: "text",
  user: "text",
  status: "text",
  started: "moment",
  last_sign: "moment",
  duration_ms: "duration",
  steps: "integer",
  model_calls: "integer",
  tool_calls: "integer",
  errors: "integer",
  cost_usd: "money",
  failed_in: "text",
  error: "text",
};

type Order = (options: RunsOptions) => {
  readonly where?: RawBuilder<unknown>;
  readonly order: RawBuilder<unknown>;
};

const ORDERS: Readonly<Record<RunOrder, Order>> = {
  latest: () => ({ order: sql`r.start_time desc nulls last` }),
  slowest: () => ({ where: sql`r.duration_ms is not null`, order: sql`r.duration_ms desc` }),
  expensive: () => ({
    where: sql`r.cost_usd is not null`,
    order: sql`cast(r.cost_usd as double precision) desc`,
  }),
  failed: () => ({
    where: sql`r.status in ('ERROR', 'ABORTED')`,
    order: sql`r.last_at desc nulls last`,
  }),
  stuck: ({ silentSince }) => ({
    where: sql`r.status = 'RUNNING' and r.last_at < ${silentSince}`,
    order: sql`r.last_at`,
  }),
};

/** Single runs: the latest, slowest, most expensive, failed or stuck ones, with the node in which they broke. */
export async function runs(store: Store, which: RunOrder, options: RunsOptions): Promise<Report> {
  const { where = sql`true`, order } = ORDERS[which](options);
  const { rows } =
    await sql<object>`select r.id as run, r.conversation_id as session, r.user_id as ${sql.ref("user")},
      case when r.is_abandoned = 1 then 'ABANDONED' else r.status end as status, r.start_time as started, r.last_at as last_sign,
      ${knownDuration("r.duration_ms", "r.start_time")} as duration_ms, r.steps, r.model_calls,
      r.tool_calls, r.errors, r.cost_usd,
      (select n.node_name from node_runs n where n.session_id = r.session_id and n.run = r.run
        and n.status <> 'COMPLETED' order by n.step desc limit 1) as failed_in,
      r.error_trace as error
    from graph_runs r where ${where} and ${isSince("r.start_time", options)}
    order by ${order}, r.id limit ${options.limit}`.execute(store.database);
  return report(COLUMNS, rows);
}
