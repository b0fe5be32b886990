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
): readonly RowPlace[] {
  const order = items
    .map((_, at) => at)
    .sort((one, other) => (items[one]?.x ?? 0) - (items[other]?.x ?? 0) || one - other);
  let rows = pack(items, order, 0);
  const comfortable = rows.count + spare;
  for (const wish of wishes) {
    const tried = pack(items, order, wish);
    if (tried.count > comfortable) continue;
    rows = tried;
    break;
  }
  return withRoom(items, order, rows.row, edges);
}

/** The row of each item, taken in `order`, and how many rows there are. */
function pack(
  items: readonly RowItem[],
  order: readonly number[],
  wish: number,
): { count: number; row: readonly number[] } {
  const ends: number[] = [];
  const row: number[] = [];
  for (const at of order) {
    const item = items[at];
    if (item === undefined) continue;
    const label = item.labelWidth <= item.width ? 0 : Math.min(item.labelWidth, wish);
    const space = label > 0 ? spaceAfterLabel : 0;
    const free = firstFree(ends, item.x + rounding);
    ends[free] = item.x + item.width + label + space;
    row[at] = free;
  }
  return { count: ends.length, row };
}

/** The first row that ends before `x`; else a new one. */
function firstFree(ends: readonly number[], x: number): number {
  let row = 0;
  while ((ends[row] ?? -Infinity) > x) row++;
  return row;
}

function withRoom(
  items: readonly RowItem[],
  order: readonly number[],
  row: readonly number[],
  edges: { readonly left: number; readonly right: number },
): readonly RowPlace[] {
  /** Where the rows begin of what stands further to the right. */
  const begins: number[] = [];
  const places: RowPlace[] = [];
  for (let last = order.length - 1; last >= 0; last--) {
    const at = order[last] ?? 0;
    const item = items[at];
    const line = row[at] ?? 0;
    if (item === undefined) continue;
    const until = (begins[line] ?? edges.right) - spaceAfterLabel;
    places[at] = { row: line, room: Math.max(0, until - item.x - item.width), roomBefore: 0 };
    begins[line] = item.x;
  }
  for (const [at, place] of places.entries()) {
    const item = items[at];
    if (item === undefined || begins[place.row] !== item.x) continue;
    places[at] = { ...place, roomBefore: Math.max(0, item.x - edges.left) };
  }
  return places;
}
