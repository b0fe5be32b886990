import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../store.ts";
import { patternLiterals } from "./pattern-literals.ts";

/** A literal in more words than these says little of where a pattern could hold. */
const MOST_WORDS = 1000;
/** The index ends longer words here: what stood behind it, nobody knows. */
const LONGEST_WORD = 32_768;

/**
 * The words of the index, in its syntax, of which a step says one wherever a pattern holds: those that have a literal of the
 * pattern in them. Undefined where any step may be meant; empty where none is.
 */
export async function wordsOfPattern(
  { database, flavour }: Pick<Queries, "database" | "flavour">,
  pattern: string,
): Promise<string | undefined> {
  // PostgreSQL has no list of its words.
  const literals = flavour.kind === "sqlite" ? patternLiterals(pattern) : undefined;
  if (literals === undefined) return undefined;
  const has = literals.map((literal): RawBuilder<unknown> => sql`instr(term, ${literal}) > 0`);
  const { rows } = await sql<{ readonly term: string }>`select term from step_words
    where ${sql.join(has, sql` or `)} or octet_length(term) >= ${LONGEST_WORD} limit ${MOST_WORDS + 1}`.execute(
    database,
  );
  if (rows.length > MOST_WORDS) return undefined;
  return rows.map(({ term }) => `"${term}"`).join(" OR ");
}
