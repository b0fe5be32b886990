/** What lasts from one moment to another. */
interface Lasting {
  readonly start: number;
  readonly end: number;
}

/** Of more at once nobody sees anything, and to look for a row takes as long as there are rows. */
const MOST_ROWS = 100;

/**
 * The row of each in its track, from 0, so that of two which overlap in a row one holds the other; no more rows than that takes,
 * up to 100. Viewers of traces leave out what outlasts the slice of its thread in which it began.
 */
export function nestedRows<T extends Lasting>(
  all: readonly T[],
  trackOf: (one: T) => string,
): ReadonlyMap<T, number> {
  /** Of each row of a track when what holds the next one ends, the innermost last. */
  const tracks = new Map<string, number[][]>();
  const places = new Map<T, number>();
  for (const one of [...all].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const rows = tracks.get(trackOf(one)) ?? [];
    tracks.set(trackOf(one), rows);
    const found = rows.findIndex((ends) => {
      while ((ends.at(-1) ?? Infinity) <= one.start) ends.pop();
      return one.end <= (ends.at(-1) ?? Infinity);
    });
    const place = found < 0 ? Math.min(rows.length, MOST_ROWS - 1) : found;
    const ends = rows[place] ?? [];
    rows[place] = ends;
    ends.push(one.end);
    places.set(one, place);
  }
  return places;
}
