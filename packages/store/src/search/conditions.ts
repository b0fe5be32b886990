import { type RawBuilder, sql } from "kysely";
import { columnText, longText } from "../rows/column-values.ts";
import type { DatabaseKind } from "../sql-flavour.ts";
import type { Comparison, FilterTerm, NumberField, TextField } from "./filter.ts";
import type { StepRange } from "./step-pages.ts";

type Condition = RawBuilder<boolean>;

/** Where the steps of a search are read: each is `s`. */
const OF_STEP = sql`x.session_id = s.session_id and x.run = s.run and x.step = s.step`;

/** That a step is a call of a model of which something holds; the row of a step says already whether it can be one. */
const ofCall = (holds: Condition): Condition =>
  sql`((s.label = 'assistant_call' or s.cost is not null) and exists (select 1 from llm_traces x where ${OF_STEP} and ${holds}))`;

/** A term that the database can decide; patterns are for whoever has the text. */
export type DatabaseTerm = Exclude<FilterTerm, { readonly kind: "pattern" }>;

/** Of a search, what the terms don't say. */
export interface SearchScope {
  /** No other steps are asked for. */
  readonly range?: StepRange;
  /** Of each of these a step says something; in the syntax of SQLite's index. */
  readonly questions?: readonly string[];
}

/** What holds for the steps that all terms describe. */
export function conditionOf(
  terms: readonly DatabaseTerm[],
  kind: DatabaseKind,
  { range, questions = [] }: SearchScope = {},
): Condition {
  // SQLite's index finds what says all of several faster than what says each.
  const asked = kind === "sqlite" ? terms.filter(isSaid) : [];
  const all = [...asked.map(phraseOf), ...questions];
  const conditions = terms
    .filter((term) => !asked.some((one) => one === term))
    .map((term) => termCondition(term, kind, range));
  if (all.length > 0) conditions.unshift(matches(all, range));
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

type WordsTerm = DatabaseTerm & { readonly kind: "words" };

const isSaid = (term: DatabaseTerm): term is WordsTerm => term.kind === "words" && !term.isNegated;

function termCondition(term: DatabaseTerm, kind: DatabaseKind, range?: StepRange): Condition {
  const condition = plainCondition(term, kind, range);
  // What is unknown does not hold.
  return term.isNegated ? sql`not coalesce(${condition}, false)` : condition;
}

function plainCondition(term: DatabaseTerm, kind: DatabaseKind, range?: StepRange): Condition {
  switch (term.kind) {
    case "words":
      return kind === "sqlite" ? matches([phraseOf(term)], range) : matchesVector(term);
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

/** A phrase of SQLite's index, in which nothing of the words means anything. */
function phraseOf({ words, isPrefix }: WordsTerm): string {
  return `"${longText(words).replaceAll('"', '""')}"${isPrefix ? "*" : ""}`;
}

function matches(questions: readonly string[], range?: StepRange): Condition {
  const all = questions.map((question) => `(${question})`).join(" AND ");
  // A parameter is a floating number, with which the index would begin at its first row.
  const within =
    range === undefined
      ? sql`true`
      : sql`rowid >= cast(${range.from} as integer) and rowid < cast(${range.before} as integer)`;
  return sql`s.id in (select rowid from step_search where words match ${all} and ${within})`;
}

/** The same in PostgreSQL. */
function matchesVector({ words, isPrefix }: WordsTerm): Condition {
  const text = longText(words);
  const query = isPrefix
    ? sql`to_tsquery('simple', ${`'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}':*`})`
    : sql`phraseto_tsquery('simple', ${text})`;
  return sql`s.id in (select step_row from step_search where words @@ ${query})`;
}

const TEXTS: Readonly<Record<TextField, (value: string, kind: DatabaseKind) => Condition>> = {
  label: (value) => is("s.label", value),
  name: (value) => is("s.name", value),
  tool: (value) => sql`(s.label = 'tool_call' and ${is("s.name", value)})`,
  model: (value) => ofCall(is("x.model", value)),
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
      const holds = sql`confidence ${OPERATORS[comparison]} cast(${value} as double precision)`;
      return sql`(s.session_id, s.run, s.step) in (select session_id, run, step from thoughts where ${holds} union all select session_id, run, step from edges where ${holds})`;
    },
    duration: (comparison, value) =>
      sql`s.duration_ms ${OPERATORS[comparison]} cast(${value} as double precision)`,
    // As numbers: the index's texts are not in the order of money.
    cost: (comparison, value) =>
      ofCall(
        sql`cast(x.cost_usd as double precision) ${OPERATORS[comparison]} cast(${value} as double precision)`,
      ),
    tokens: (comparison, value) =>
      ofCall(sql`x.total_tokens ${OPERATORS[comparison]} cast(${value} as double precision)`),
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
