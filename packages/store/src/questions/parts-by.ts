import { sql } from "kysely";
import { type Columns, type Report, report } from "../report.ts";
import type { Store } from "../store.ts";
import { withRate } from "./calls-by.ts";
import { isSince, type Since } from "./since.ts";

const PART_COLUMNS: Columns = {
  part: "text",
  calls: "integer",
  tokens: "integer",
  tokens_per_call: "integer",
  cost_usd: "money",
};

/** Tokens of prompts, and what they cost, by the kind of part that they stand in; the most first. */
export async function tokensByPart(store: Store, when: Since = {}): Promise<Report> {
  const { database, flavour } = store;
  // Without a bound the parts alone are read.
  const calls =
    when.since === undefined
      ? sql`prompt_parts p`
      : sql`prompt_parts p join llm_traces t using (session_id, run, step)`;
  const { rows } = await sql<object>`select p.type as part, count(*) as calls,
      sum(cast(p.tokens as double precision)) as tokens, cast(sum(p.tokens) / count(*) as bigint) as tokens_per_call,
      ${flavour.sumOfMoney("p.cost_usd")} as cost_usd
    from ${calls} where ${isSince("t.start_time", when)}
    group by p.type order by tokens desc, part`.execute(database);
  return report(PART_COLUMNS, rows);
}

const ADAPTATION_COLUMNS: Columns = {
  adaptation: "text",
  version: "text",
  calls: "integer",
  errors: "integer",
  error_rate: "rate",
  abandoned: "integer",
  tokens: "integer",
  cost_usd: "money",
};

/** The model calls that had a version of the adaptations in their prompt: what they took, and how they ended. */
export async function callsByAdaptation(store: Store, when: Since = {}): Promise<Report> {
  const { database, flavour } = store;
  const { rows } =
    await sql<object>`select p.part_id as adaptation, p.version as version, count(*) as calls,
      sum(case when t.status = 'ERROR' and t.is_abandoned = 0 then 1 else 0 end) as errors,
      avg(case when t.status = 'ERROR' and t.is_abandoned = 0 then 1.0 else 0.0 end) as error_rate,
      cast(sum(t.is_abandoned) as bigint) as abandoned,
      sum(cast(p.tokens as double precision)) as tokens, ${flavour.sumOfMoney("t.cost_usd")} as cost_usd
    from prompt_parts p join llm_traces t using (session_id, run, step)
    where p.type = 'prompt_adaptations' and ${isSince("t.start_time", when)}
    group by p.part_id, p.version order by calls desc, adaptation, version`.execute(database);
  return report(ADAPTATION_COLUMNS, rows.map(withRate));
}
