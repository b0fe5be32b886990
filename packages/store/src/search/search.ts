import { type RawBuilder, sql } from "kysely";
import { RE2JS, RE2JSException } from "re2js";
import { knownDuration } from "../questions/known-times.ts";
import { type Columns, type Report, report } from "../report.ts";
import type { Store } from "../store.ts";
import { conditionOf, type DatabaseTerm } from "./conditions.ts";
import { type FilterTerm, parseFilter } from "./filter.ts";
import { FilterError } from "./filter-error.ts";
import { neededCharacters } from "./needed-characters.ts";
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

/** A row of the answer, with all that the step says. */
interface Found {
  readonly text: string;
}

type PatternTerm = FilterTerm & { readonly kind: "pattern" };

/**
 * The steps that a filter describes, those first that the store took in last. Words are looked up in an index over the first 64 Ki characters of
 * each field; patterns take time in proportion to the text that they are looked for in, whatever they are.
 *
 * @throws FilterError that says what of the filter can't be understood
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
    await sql<Found>`select s.session_id as session, s.run_id as run, s.step_id as step,
      s.label, s.name, s.status, s.started_at as started,
      ${knownDuration("s.duration_ms", "s.started_at")} as duration_ms,
      (select t.text from step_texts t where t.step_row = s.id) as text
    from steps s where ${where} order by s.id desc limit ${limit}`.execute(store.database);
  return report(
    COLUMNS,
    rows.map((row) => ({ ...row, text: excerpt(row.text) })),
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
  const hasConditions = terms.length + questions.length > 0;
  const found: number[] = [];
  for await (const { ids, texts } of stepPages(store, hasConditions ? where : undefined)) {
    if (!tests.every(({ mayHold }) => mayHold(texts))) continue;
    const all = texts.split("\0");
    // What several steps say is looked at once.
    const fitting = new Set(
      [...new Set(all)].filter((text) => tests.every(({ holds }) => holds(text))),
    );
    if (fitting.size === 0) continue;
    const numbers = ids.split("\0").map(Number);
    found.push(...numbers.filter((_, at) => fitting.has(all[at] ?? "")));
    if (found.length >= limit) break;
  }
  return found.sort((one, other) => other - one).slice(0, limit);
}

interface PatternTest {
  /** Whether the pattern can hold for one of several texts; takes less time than to look at each. */
  readonly mayHold: (texts: string) => boolean;
  readonly holds: (text: string) => boolean;
}

function patternTest({ pattern, ignoresCase, isNegated }: PatternTerm): PatternTest {
  const compiled = compile(pattern, ignoresCase);
  if (isNegated) return { mayHold: () => true, holds: (text) => !compiled.test(text) };
  const needed = neededCharacters(compiled);
  const mayHold = (texts: string): boolean => needed === undefined || needed.test(texts);
  return { mayHold, holds: (text) => mayHold(text) && compiled.test(text) };
}

function compile(pattern: string, ignoresCase: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new FilterError(`/${pattern}/ is no pattern: ${error.message}`, { cause: error });
  }
}

function excerpt(words: string): string {
  const text = words
    .replaceAll(/\n +at .*/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return text.length <= EXCERPT ? text : `${text.slice(0, EXCERPT - 1)}…`;
}
