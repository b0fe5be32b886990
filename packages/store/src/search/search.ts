import { type RawBuilder, sql } from "kysely";
import { RE2JS, RE2JSException } from "re2js";
import { type Columns, type Report, report } from "../report.ts";
import { stepWords } from "../rows/step-words.ts";
import type { Store } from "../store.ts";
import { StoreError } from "../store-error.ts";
import { conditionOf, type DatabaseTerm } from "./conditions.ts";
import { type FilterTerm, parseFilter } from "./filter.ts";
import { wordsOfPattern } from "./pattern-words.ts";
import { type StepRange, stepPages } from "./step-pages.ts";

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

/** Of what a step says so much is shown. */
const EXCERPT = 200;

type PatternTerm = FilterTerm & { readonly kind: "pattern" };

/** What a step says, as JSON. */
const SAID = sql`s.payload_started, s.payload_completed, s.error`;

interface Said {
  readonly id: number;
  readonly payload_started: string | null;
  readonly payload_completed: string | null;
  readonly error: string | null;
}

/**
 * The steps that a filter describes, the newest first. Words are looked up in an index over the first 64 Ki characters of
 * each field; patterns take time in proportion to the text that they are looked for in, whatever they are.
 *
 * @throws StoreError that says what of the filter can't be understood
 */
export async function search(
  store: Store,
  filter: string,
  { limit = 50, now = new Date() }: SearchOptions = {},
): Promise<Report> {
  const terms = parseFilter(filter, now);
  const patterns = terms.filter((term) => term.kind === "pattern");
  const others = terms.filter((term) => term.kind !== "pattern");
  const where =
    patterns.length === 0
      ? conditionOf(others, store.flavour.kind)
      : sql`s.id in (${sql.join([0, ...(await idsByPatterns(store, others, patterns, limit))])})`;
  const { rows } =
    await sql<Said>`select s.id, s.session_id as session, s.run_id as run, s.step_id as step,
      s.label, s.name, s.status, s.started_at as started, s.duration_ms, ${SAID}
    from steps s where ${where} order by s.id desc limit ${limit}`.execute(store.database);
  return report(
    COLUMNS,
    rows.map((row) => ({ ...row, text: excerpt(wordsOf(row)) })),
  );
}

/** The newest steps for whose text all patterns hold, and for which the other terms do. */
async function idsByPatterns(
  store: Store,
  terms: readonly DatabaseTerm[],
  patterns: readonly PatternTerm[],
  limit: number,
): Promise<readonly number[]> {
  const tests = patterns.map(patternTest);
  const questions: string[] = [];
  for (const { pattern, isNegated } of patterns) {
    const words = isNegated ? undefined : await wordsOfPattern(store, pattern);
    if (words === "") return [];
    if (words !== undefined) questions.push(words);
  }
  const where = (range: StepRange): RawBuilder<unknown> =>
    conditionOf(terms, store.flavour.kind, { range, questions });
  const ids: number[] = [];
  for await (const page of stepPages<Said>(store, { columns: SAID, where })) {
    for (const row of page) {
      const said = wordsOf(row);
      if (!tests.every((holds) => holds(said))) continue;
      ids.push(row.id);
      if (ids.length === limit) return ids;
    }
  }
  return ids;
}

function patternTest({ pattern, ignoresCase, isNegated }: PatternTerm): (words: string) => boolean {
  try {
    const compiled = RE2JS.compile(pattern, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
    return (words) => compiled.test(words) !== isNegated;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new StoreError(`/${pattern}/ is no pattern: ${error.message}`, { cause: error });
  }
}

function wordsOf({ payload_started, payload_completed, error }: Said): string {
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
