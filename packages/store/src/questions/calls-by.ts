import { type RawBuilder, sql } from "kysely";
import { type Columns, type Report, report } from "../report.ts";
import type { SqlFlavour } from "../sql-flavour.ts";
import type { Store } from "../store.ts";
import { knownDay, knownDuration } from "./known-times.ts";
import { isSince, type Since } from "./since.ts";

/** What model calls can be counted by. */
export type CallKey = "model" | "agent" | "user" | "session" | "day";

const KEYS: Readonly<Record<CallKey, (flavour: SqlFlavour) => RawBuilder<unknown>>> = {
  model: () => sql.ref("model"),
  agent: () => sql.ref("agent"),
  user: () => sql.ref("user_id"),
  session: () => sql.ref("session_id"),
  day: (flavour) => knownDay(flavour, "start_time"),
};

const COLUMNS: Columns = {
  calls: "integer",
  errors: "integer",
  error_rate: "rate",
  abandoned: "integer",
  prompt_tokens: "integer",
  cached_tokens: "integer",
  completion_tokens: "integer",
  reasoning_tokens: "integer",
  cost_usd: "money",
  unpriced_calls: "integer",
  p50_ms: "duration",
  p95_ms: "duration",
};

/** Model calls by what they have in common: how many, how long, how much. The most expensive first; days in order, and what has none last. */
export async function callsBy(store: Store, by: CallKey, when: Since = {}): Promise<Report> {
  const { database, flavour } = store;
  const key = KEYS[by](flavour);
  const duration = knownDuration("duration_ms", "start_time");
  const { rows } =
    await sql<object>`select ${key} as ${sql.ref(by)}, cast(sum(is_call) as bigint) as calls,
      sum(case when status = 'ERROR' and is_abandoned = 0 then 1 else 0 end) as errors,
      avg(case when is_call = 0 then null when status = 'ERROR' and is_abandoned = 0 then 1.0 else 0.0 end) as error_rate,
      cast(sum(is_abandoned) as bigint) as abandoned,
      sum(cast(prompt_tokens as double precision)) as prompt_tokens,
      sum(cast(cached_tokens as double precision)) as cached_tokens,
      sum(cast(completion_tokens as double precision)) as completion_tokens,
      sum(cast(reasoning_tokens as double precision)) as reasoning_tokens,
      ${flavour.sumOfMoney("cost_usd")} as cost_usd,
      cast(sum(case when cost_usd is null then is_call else 0 end) as bigint) as unpriced_calls,
      ${flavour.percentile(duration, 50)} as p50_ms, ${flavour.percentile(duration, 95)} as p95_ms
    from llm_traces where ${isSince("start_time", when)} group by ${key}
    order by ${by === "day" ? sql`${key} nulls last` : sql`cast(${flavour.sumOfMoney("cost_usd")} as double precision) desc nulls last, calls desc, ${key}`}`.execute(
      database,
    );
  return report({ [by]: "text", ...COLUMNS }, rows.map(withRate));
}

/** Databases give rates as they like; four places say enough. */
export function withRate(row: object): object {
  const { error_rate } = row as { readonly error_rate?: string | number | null };
  return { ...row, error_rate: Math.round(Number(error_rate ?? 0) * 10_000) / 10_000 };
}
