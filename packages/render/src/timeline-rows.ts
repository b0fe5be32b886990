/** Something to draw in a lane: where it is, and how much room its label would like. */
export interface RowItem {
  readonly x: number;
  readonly width: number;
  readonly labelWidth: number;
}

/** Where an item stands. */
export interface RowPlace {
  /** From 0. */
  readonly row: number;
  /** Pixels free between the item and the next one of its row. */
  readonly room: number;
  /** Pixels free to its left when it is the first of its row; 0 for the others, whose left is taken by a label. */
  readonly roomBefore: number;
}

/** How the items of a lane are stacked. */
export interface Rows {
  readonly count: number;
  readonly places: readonly RowPlace[];
}

/** Pixels between a label and what follows it. Bare bars may touch: one step often begins where another ends. */
const spaceAfterLabel = 6;
/** What sums of pixels may be off by. */
const rounding = 0.01;

/**
 * Stacks items that would cover one another into rows, first fit, in order of x. Labels get the room they would
 * like (the first of `wishes` that does) as long as that takes no more than `spare` rows beyond what the items
 * themselves need; else only what is left over.
 */
export function stackRows(
  items: readonly RowItem[],
  edges: { readonly left: number; readonly right: number },
  wishes: readonly number[],
  spare: number,
): Rows {
  let rows = pack(items, 0);
  const comfortable = rows.count + spare;
  for (const wish of wishes) {
    const tried = pack(items, wish);
    if (tried.count > comfortable) continue;
    rows = tried;
    break;
  }
  return { count: rows.count, places: withRoom(items, rows.row, edges) };
}

function pack(items: readonly RowItem[], wish: number): { count: number; row: readonly number[] } {
  const order = items
    .map((_, at) => at)
    .sort((one, other) => (items[one]?.x ?? 0) - (items[other]?.x ?? 0) || one - other);
  const ends: number[] = [];
  const row: number[] = [];
  for (const at of order) {
    const item = items[at];
    if (item === undefined) continue;
    const label = item.labelWidth <= item.width ? 0 : Math.min(item.labelWidth, wish);
    const free = ends.findIndex((end) => end <= item.x + rounding);
    const found = free === -1 ? ends.length : free;
    const space = label > 0 ? spaceAfterLabel : 0;
    ends[found] = item.x + item.width + label + space;
    row[at] = found;
  }
  return { count: ends.length, row };
}

function withRoom(
  items: readonly RowItem[],
  row: readonly number[],
  edges: { readonly left: number; readonly right: number },
): Rows["places"] {
  const next = new Map<number, number>();
  const places: RowPlace[] = [];
  const fromRight = items.map((_, at) => at);
  fromRight.sort((one, other) => (items[other]?.x ?? 0) - (items[one]?.x ?? 0) || other - one);
  for (const at of fromRight) {
    const item = items[at];
    const line = row[at] ?? 0;
    if (item === undefined) continue;
    const until = (next.get(line) ?? edges.right) - spaceAfterLabel;
    places[at] = { row: line, room: Math.max(0, until - item.x - item.width), roomBefore: 0 };
    next.set(line, item.x);
  }
  for (const [at, place] of places.entries()) {
    const item = items[at];
    if (item === undefined || next.get(place.row) !== item.x) continue;
    places[at] = { ...place, roomBefore: Math.max(0, item.x - edges.left) };
  }
  return places;
}
