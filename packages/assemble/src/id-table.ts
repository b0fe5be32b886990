/** A number for each of many ids, in some 20 bytes of memory each. */
export interface IdTable {
  get(id: string): number | undefined;
  /**
   * @param value 0 or more, below 2³² - 1
   * @returns the number that it had
   */
  set(id: string, value: number): number | undefined;
}

/** Of a slot: both halves of the id's hash, then the value and one, 0 where nothing is. */
const [HIGH, LOW, VALUE, COLUMNS] = [0, 1, 2, 3];
const FIRST_SLOTS = 16;
/** How much of it may be taken, and by what it grows then: what is hashed leaves no page untouched. */
const [MOST_TAKEN, GROWTH] = [0.75, 1.5];
const SPAN_ID = /^[0-9a-f]{16}$/;

/**
 * A hash table by open addressing that leaves the ids out: ids of spans are told apart, of others once in many billions of
 * pairs two count as one.
 */
export function createIdTable(): IdTable {
  let slots = new Uint32Array(FIRST_SLOTS * COLUMNS);
  let count = 0;
  let high = 0;
  let low = 0;

  function read(id: string): void {
    if (SPAN_ID.test(id)) {
      high = Number.parseInt(id.slice(0, 8), 16);
      low = Number.parseInt(id.slice(8), 16);
      return;
    }
    high = 0x811c9dc5;
    low = 0x9747b28c;
    for (let at = 0; at < id.length; at++) {
      const unit = id.charCodeAt(at);
      high = Math.imul(high ^ unit, 0x01000193) >>> 0;
      low = Math.imul(low ^ unit, 0x5bd1e995) >>> 0;
    }
  }

  /** Where what was read stands, or would. */
  function slotOfRead(): number {
    const most = slots.length / COLUMNS;
    let at = (Math.imul(high ^ Math.imul(low, 31), 0x9e3779b1) >>> 7) % most;
    for (;;) {
      const slot = at * COLUMNS;
      if (slots[slot + VALUE] === 0) return slot;
      if (slots[slot + HIGH] === high && slots[slot + LOW] === low) return slot;
      at = at + 1 === most ? 0 : at + 1;
    }
  }

  /** Answers what stood there. */
  function put(value: number): number {
    const slot = slotOfRead();
    const before = slots[slot + VALUE] ?? 0;
    slots[slot + HIGH] = high;
    slots[slot + LOW] = low;
    slots[slot + VALUE] = value;
    return before;
  }

  function grow(): void {
    const taken = slots;
    slots = new Uint32Array(Math.ceil((taken.length / COLUMNS) * GROWTH) * COLUMNS);
    for (let slot = 0; slot < taken.length; slot += COLUMNS) {
      const value = taken[slot + VALUE] ?? 0;
      if (value === 0) continue;
      high = taken[slot + HIGH] ?? 0;
      low = taken[slot + LOW] ?? 0;
      put(value);
    }
  }

  return {
    get(id) {
      read(id);
      return numberOf(slots[slotOfRead() + VALUE] ?? 0);
    },
    set(id, value) {
      if (count * COLUMNS >= slots.length * MOST_TAKEN) grow();
      read(id);
      const before = put(value + 1);
      if (before === 0) count++;
      return numberOf(before);
    },
  };
}

function numberOf(value: number): number | undefined {
  return value === 0 ? undefined : value - 1;
}
