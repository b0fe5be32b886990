/** Something to draw in a lane: where it is, and how much room its label would like. */
export interface RowItem {
  readonly x: number;
  readonly width: number;
  readonly labelWidth: number;
  /** What failed: its label is what people look for. */
  readonly isMarked: boolean;
}

/** Where an item stands. */
export interface RowPlace {
  /** From 0. */
  readonly row: number;
  /** Pixels free between the item and the next one of its row. */
  readonly room: number;
  /** Where the item before it in its row ends, or the row begins: a label of that one may reach further. */
  readonly begin: number;
}

/** Pixels between a label and what follows it. Bare bars may touch: one step often begins where another ends. */
const spaceAfterLabel = 6;
/** Labels of what is marked get so much, as long as that takes no more than so many rows more. */
const markedWish = 240;
const markedSpare = 2;
/** What sums of pixels may be off by. */
const rounding = 0.01;

/**
 * Stacks items that would cover one another into rows, first fit, in order of x. Labels get the room they would
 * like (the first of `wishes` that does) as long as that takes no more than `spare` rows beyond what the items
 * themselves need; else only what is left over. Those of marked items get more, for two rows more at most.
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
  const bare = pack(items, order, 0);
  const wish = wishes.find((one) => pack(items, order, one).count <= bare.count + spare) ?? 0;
  const plain = wish === 0 ? bare : pack(items, order, wish);
  const marked = pack(items, order, wish, markedWish);
  const rows = marked.count <= plain.count + markedSpare ? marked : plain;
  return withRoom(items, order, rows.row, edges);
}

/** The row of each item, taken in `order`, and how many rows there are. */
function pack(
  items: readonly RowItem[],
  order: readonly number[],
  wish: number,
  wishOfMarked = wish,
): { count: number; row: readonly number[] } {
  const ends: number[] = [];
  const row: number[] = [];
  for (const at of order) {
    const item = items[at];
    if (item === undefined) continue;
    const label =
      item.labelWidth <= item.width
        ? 0
        : Math.min(item.labelWidth, item.isMarked ? Math.max(wish, wishOfMarked) : wish);
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
  const rooms: number[] = [];
  for (let last = order.length - 1; last >= 0; last--) {
    const at = order[last] ?? 0;
    const item = items[at];
    const line = row[at] ?? 0;
    if (item === undefined) continue;
    const until = (begins[line] ?? edges.right) - spaceAfterLabel;
    rooms[at] = Math.max(0, until - item.x - item.width);
    begins[line] = item.x;
  }
  const ends: number[] = [];
  const places: RowPlace[] = [];
  for (const at of order) {
    const item = items[at];
    const line = row[at] ?? 0;
    if (item === undefined) continue;
    places[at] = { row: line, room: rooms[at] ?? 0, begin: ends[line] ?? edges.left };
    ends[line] = item.x + item.width;
  }
  return places;
}
