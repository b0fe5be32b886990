import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../store.ts";

/** Rows that are read at once, at most. */
const PAGE = 500;
/** So much wider the next look is where one found little. */
const WIDER = 4;

/** Steps from one number on, up to before another. */
export interface StepRange {
  readonly from: number;
  readonly before: number;
}

/** What a page is made of: the columns of `s`, and what holds for it in a range. */
export interface StepQuery {
  readonly columns: RawBuilder<unknown>;
  where(range: StepRange): RawBuilder<unknown>;
}

/**
 * The steps for which something holds, the newest first, a page at a time. Each page is looked for in a range of steps: as
 * many as the last one filled, more where it was not full. So nothing is held, nor sorted, but one page, however many there are.
 */
export async function* stepPages<Row extends { readonly id: number }>(
  { database, flavour }: Queries,
  { columns, where }: StepQuery,
): AsyncGenerator<readonly Row[]> {
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
    const { rows } = await sql<Row>`select s.id, ${columns} from steps s ${flavour.byRowNumber}
      where s.id >= ${range.from} and s.id < ${before} and ${where(range)} order by s.id desc limit ${PAGE}`.execute(
      database,
    );
    const lowest = rows.length === PAGE ? rows.at(-1)?.id : undefined;
    width = lowest === undefined ? width * WIDER : before - lowest;
    before = lowest ?? range.from;
    if (rows.length > 0) yield rows;
  }
}
