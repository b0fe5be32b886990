import { type RawBuilder, sql } from "kysely";
import { RE2JS, RE2JSException } from "re2js";
import { type Columns, type Report, report } from "../report.ts";
import { stepWords } from "../rows/step-words.ts";
import type { Store } from "../store.ts";
import { StoreError } from "../store-error.ts";
import { conditionOf } from "./conditions.ts";
import { type FilterTerm, parseFilter } from "./filter.ts";

export interface SearchOptions {
  /** Default 50. */
  readonly limit?: number;
  /** What `since:7d` counts back from; default the clock. */
  readonly now?: Date;
}

const COLUMNS: Columns = {
  session: "text",
  run: "text",
  step: "text",
  label: "text",
  name: "text",
  status: "text",
  started: "moment",
  duration_ms: "duration",
  text: "text",
};

/** Rows that are read at once where patterns decide. */
const PAGE = 500;

/** Of what a step says so much is shown. */
const EXCERPT = 200;

interface Found {
  readonly id: number;
  readonly payload_started: string | null;
  readonly payload_completed: string | null;
  readonly error: string | null;
}

/**
 * The steps that a filter describes, the newest first. Words are looked up in an index over the first 64 Ki characters of
 * each field; patterns take time in proportion to the text, whatever they are.
 *
 * @throws StoreError that says what of the filter can't be understood
 */
export async function search(
  { database, flavour }: Store,
  filter: string,
  { limit = 50, now = new Date() }: SearchOptions = {},
): Promise<Report> {
  const terms = parseFilter(filter, now);
  const conditions = terms.flatMap((term) => conditionOf(term, flavour.kind) ?? []);
  const patterns = terms.filter((term) => term.kind === "pattern").map(patternTest);
  const where = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  if (patterns.length === 0) {
    const { rows } = await steps(where, limit).execute(database);
    return report(COLUMNS, rows.map(shown));
  }
  const found: object[] = [];
  for (const ids of pagesOf(await idsOf(database, where))) {
    const { rows } = await steps(sql`s.id in (${sql.join(ids)})`, PAGE).execute(database);
    for (const row of rows) {
      const said = shown(row);
      if (patterns.every((holds) => holds(said.words))) found.push(said);
    }
    if (found.length >= limit) break;
  }
  return report(COLUMNS, found.slice(0, limit));
}

/** Which steps the database would give, the newest first: their texts are read until enough of them hold. */
async function idsOf(
  database: Store["database"],
  where: RawBuilder<unknown>,
): Promise<readonly number[]> {
  const { rows } = await sql<Pick<Found, "id">>`select s.id from steps s where ${where}`.execute(
    database,
  );
  return rows.map(({ id }) => id).sort((a, b) => b - a);
}

function* pagesOf(ids: readonly number[]): Generator<readonly number[]> {
  for (let at = 0; at < ids.length; at += PAGE) yield ids.slice(at, at + PAGE);
}

function steps(where: RawBuilder<unknown>, limit: number): RawBuilder<Found> {
  return sql<Found>`select s.id, s.session_id as session, s.run_id as run, s.step_id as step, s.label, s.name, s.status,
      s.started_at as started, s.duration_ms, s.payload_started, s.payload_completed, s.error
    from steps s where ${where} order by s.id desc limit ${limit}`;
}

function shown(row: Found): Found & { readonly words: string; readonly text: string } {
  const words = wordsOf(row);
  return { ...row, words, text: excerpt(words) };
}

function patternTest(term: FilterTerm & { readonly kind: "pattern" }): (words: string) => boolean {
  const { pattern, ignoresCase, isNegated } = term;
  try {
    const compiled = RE2JS.compile(pattern, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
    return (words) => compiled.test(words) !== isNegated;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new StoreError(`/${pattern}/ is no pattern: ${error.message}`, { cause: error });
  }
}

function wordsOf({ payload_started, payload_completed, error }: Found): string {
  const parsed = (json: string | null) => (json === null ? undefined : JSON.parse(json));
  return stepWords({
    payload_started: parsed(payload_started),
    payload_completed: parsed(payload_completed),
    error: parsed(error),
  });
}

function excerpt(words: string): string {
  const text = words
    .replaceAll(/\n +at .*/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return text.length <= EXCERPT ? text : `${text.slice(0, EXCERPT - 1)}…`;
}
