import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../store.ts";

/** Steps that are read at once, at most. */
const PAGE = 1000;
/** So much wider the next look is where one found little. */
const WIDER = 4;

/** Steps from one number on, up to before another. */
export interface StepRange {
  readonly from: number;
  readonly before: number;
}

/** Some steps, in any order, and what each says: with a NUL between two. */
export interface StepPage {
  readonly ids: string;
  readonly texts: string;
}

interface Joined {
  readonly count: number;
  readonly lowest: number | null;
  readonly ids: string | Uint8Array | null;
  readonly texts: string | Uint8Array | null;
}

/**
 * The texts of the steps for which something holds, the newest steps first, a page at a time. Each page is looked for in a
 * range of steps: as many as the last one filled, more where it was not full. So nothing is held, nor sorted, but one page,
 * however many there are.
 *
 * @param where what holds for a step `s` in a range; undefined for all steps
 */
export async function* stepPages(
  { database, flavour }: Queries,
  where?: (range: StepRange) => RawBuilder<unknown>,
): AsyncGenerator<StepPage> {
  const { rows: ends } = await sql<{
    readonly first: number | null;
    readonly last: number | null;
  }>`select min(id) as first, max(id) as last from steps`.execute(database);
  const [{ first, last } = { first: null, last: null }] = ends;
  if (first === null || last === null) return;
  let before = last + 1;
  let width = PAGE;
  while (before > first) {
    const range = { from: before - width, before };
    const source =
      where === undefined
        ? sql`from step_texts t where true`
        : sql`from steps s ${flavour.byRowNumber} cross join step_texts t where t.step_row = s.id and ${where(range)}`;
    const id = sql.ref(where === undefined ? "t.step_row" : "s.id");
    const { rows } = await sql<Joined>`
      select count(*) as count, min(id) as lowest, ${flavour.joined("id")} as ids, ${flavour.joined("text")} as texts
      from (select t.step_row as id, t.text ${source} and ${id} >= ${range.from} and ${id} < ${before}
        order by ${id} desc limit ${PAGE}) page`.execute(database);
    const [{ count, lowest, ids, texts } = NOTHING] = rows;
    width = count < PAGE || lowest === null ? width * WIDER : before - lowest;
    before = count < PAGE || lowest === null ? range.from : lowest;
    if (count > 0) yield { ids: textOf(ids), texts: textOf(texts) };
  }
}

const NOTHING: Joined = { count: 0, lowest: null, ids: null, texts: null };

function textOf(value: string | Uint8Array | null): string {
  return typeof value === "string" ? value : Buffer.from(value ?? []).toString();
}
