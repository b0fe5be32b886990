import { type RawBuilder, sql } from "kysely";
import { columnText, longText } from "../rows/column-values.ts";
import type { DatabaseKind } from "../sql-flavour.ts";
import type { Comparison, FilterTerm, NumberField, TextField } from "./filter.ts";

type Condition = RawBuilder<boolean>;

/** Where the steps of a search are read: each is `s`. */
const OF_STEP = sql`x.session_id = s.session_id and x.run = s.run and x.step = s.step`;

/** What the database can decide of a filter; patterns are for whoever has the text. */
export function conditionOf(term: FilterTerm, kind: DatabaseKind): Condition | undefined {
  const condition = plainCondition(term, kind);
  // What is unknown does not hold.
  return condition && term.isNegated ? sql`not coalesce(${condition}, false)` : condition;
}

function plainCondition(term: FilterTerm, kind: DatabaseKind): Condition | undefined {
  switch (term.kind) {
    case "pattern":
      return undefined;
    case "words":
      return wordsCondition(longText(term.words), term.isPrefix, kind);
    case "text":
      return TEXTS[term.field](columnText(term.value), kind);
    case "number":
      return NUMBERS[term.field](term.comparison, term.value);
    case "moment":
      return term.field === "since"
        ? sql`s.started_at >= ${term.moment}`
        : sql`s.started_at < ${term.moment}`;
  }
}

/** The words are one phrase of the index's own syntax, in which nothing of theirs means anything. */
function wordsCondition(words: string, isPrefix: boolean, kind: DatabaseKind): Condition {
  if (kind === "sqlite") {
    const phrase = `"${words.replaceAll('"', '""')}"${isPrefix ? "*" : ""}`;
    return sql`s.id in (select rowid from step_search where words match ${phrase})`;
  }
  const query = isPrefix
    ? sql`to_tsquery('simple', ${`'${words.replaceAll("\\", "\\\\").replaceAll("'", "''")}':*`})`
    : sql`phraseto_tsquery('simple', ${words})`;
  return sql`s.id in (select step_row from step_search where words @@ ${query})`;
}

const TEXTS: Readonly<Record<TextField, (value: string, kind: DatabaseKind) => Condition>> = {
  label: (value) => is("s.label", value),
  name: (value) => is("s.name", value),
  tool: (value) => sql`(s.label = 'tool_call' and ${is("s.name", value)})`,
  model: (value) =>
    sql`exists (select 1 from llm_traces x where ${OF_STEP} and ${is("x.model", value)})`,
  status: (value) => is("s.status", value.toLowerCase()),
  error: (value) => is("s.error_type", value),
  session: (value) => is("s.session_id", value),
  run: (value) => is("s.run_id", value),
  step: (value) => is("s.step_id", value),
  user: (value) =>
    sql`exists (select 1 from graph_runs x where x.session_id = s.session_id and x.run = s.run and ${is("x.user_id", value)})`,
  agent: (value) => is("s.agent_id", value),
  type: (value) =>
    sql`exists (select 1 from thoughts x where ${OF_STEP} and ${is("x.thought_type", value)})`,
  tag: (value, kind) =>
    kind === "sqlite"
      ? sql`s.session_id in (select x.session_id from sessions x, json_each(x.tags) tag where ${is("tag.value", value)})`
      : sql`s.session_id in (select x.session_id from sessions x, json_array_elements_text(x.tags) tag(value) where ${is("tag.value", value)})`,
};

const OPERATORS: Readonly<Record<Comparison, RawBuilder<unknown>>> = {
  "<": sql`<`,
  "<=": sql`<=`,
  ">": sql`>`,
  ">=": sql`>=`,
  "=": sql`=`,
};

const NUMBERS: Readonly<Record<NumberField, (comparison: Comparison, value: string) => Condition>> =
  {
    confidence: (comparison, value) => {
      const holds = sql`x.confidence ${OPERATORS[comparison]} cast(${value} as double precision)`;
      return sql`(exists (select 1 from thoughts x where ${OF_STEP} and ${holds}) or exists (select 1 from edges x where ${OF_STEP} and ${holds}))`;
    },
    duration: (comparison, value) =>
      sql`s.duration_ms ${OPERATORS[comparison]} cast(${value} as double precision)`,
    // As numbers: the index's texts are not in the order of money.
    cost: (comparison, value) =>
      sql`exists (select 1 from llm_traces x where ${OF_STEP} and cast(x.cost_usd as double precision) ${OPERATORS[comparison]} cast(${value} as double precision))`,
    tokens: (comparison, value) =>
      sql`exists (select 1 from llm_traces x where ${OF_STEP} and x.total_tokens ${OPERATORS[comparison]} cast(${value} as double precision))`,
  };

/** Equal, or like it where the value has a `*`; that is the only sign that means anything. */
function is(column: string, value: string): Condition {
  if (!value.includes("*")) return sql`${sql.ref(column)} = ${value}`;
  const pattern = value
    .replaceAll(/[\\%_]/g, "\\$&")
    .replaceAll("*", "%")
    .toLowerCase();
  return sql`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
}
