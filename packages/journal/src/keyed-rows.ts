import { randomInt } from "node:crypto";

/** Rows of numbers below 2³², each found by those that it begins with, its key. */
export interface KeyedRows {
  readonly count: number;
  /** The row with that key: `undefined` where there is none. Rows count from 0. */
  find(key: readonly number[]): number | undefined;
  /** The row with that key; a new one has 0 behind it. */
  rowOf(key: readonly number[]): number;
  get(row: number, column: number): number;
  set(row: number, column: number, value: number): void;
}

const FIRST_ROWS = 16;
/** So many slots for each row at least: half of them, or more, are free. */
const SLOTS_A_ROW = 2;

/**
 * A hash table by open addressing: 4 bytes a column, and 8 to 16 for finding it.
 *
 * @param keyColumns how many the key has
 * @param columns how many a row has, its key among them
 */
export function createKeyedRows(keyColumns: number, columns: number): KeyedRows {
  let rows = new Uint32Array(FIRST_ROWS * columns);
  /** At a slot the row, counted from 1; 0 where none is. As many as a power of two. */
  let slots = new Uint32Array(FIRST_ROWS * SLOTS_A_ROW);
  let count = 0;

  const get = (row: number, column: number): number => rows[row * columns + column] ?? 0;

  const hasKey = (row: number, key: readonly number[]): boolean =>
    key.every((word, column) => get(row, column) === word);

  /** Where the row with that key is told, or would be. */
  function slotOf(key: readonly number[]): number {
    let slot = hashOf(key) & (slots.length - 1);
    for (;;) {
      const row = slots[slot] ?? 0;
      if (row === 0 || hasKey(row - 1, key)) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
  }

  function grow(): void {
    const longer = new Uint32Array(rows.length * 2);
    longer.set(rows);
    rows = longer;
    slots = new Uint32Array(slots.length * 2);
    for (let row = 0; row < count; row++) {
      const key = [...rows.subarray(row * columns, row * columns + keyColumns)];
      slots[slotOf(key)] = row + 1;
    }
  }

  return {
    get count() {
      return count;
    },
    find(key) {
      const row = slots[slotOf(key)] ?? 0;
      return row === 0 ? undefined : row - 1;
    },
    rowOf(key) {
      const slot = slotOf(key);
      const known = slots[slot] ?? 0;
      if (known !== 0) return known - 1;
      if ((count + 1) * columns > rows.length) {
        grow();
        return this.rowOf(key);
      }
      rows.set(key, count * columns);
      count += 1;
      slots[slot] = count;
      return count - 1;
    },
    get,
    set(row, column, value) {
      rows[row * columns + column] = value;
    },
  };
}

/** Nobody who writes a journal knows it: keys that all have one place would make each take as long as all before. */
const SEED = randomInt(2 ** 32);

function hashOf(key: readonly number[]): number {
  let mixed = SEED;
  for (const word of key) {
    mixed = Math.imul(mixed ^ word, 0x85ebca6b);
    mixed ^= mixed >>> 13;
  }
  return mixed;
}
