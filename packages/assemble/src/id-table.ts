import { LONG_WORDS, roomFor } from "./more-words.ts";

/** A number for each of many ids, in some 18 bytes of memory each. */
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
const [MOST_TAKEN, GROWTH] = [0.75, 1.25];
/** A long table has 64 parts, each of which grows in its place: so it never stands in memory twice. */
const PART_BITS = 6;
/** Of a span id. */
const DIGITS = 16;

/**
 * A hash table by open addressing that leaves the ids out: ids of spans are told apart, of others once in many billions of
 * billions of pairs two count as one.
 */
export function createIdTable(): IdTable {
  let slots = new Int32Array(FIRST_SLOTS * COLUMNS);
  /** Of each part how many slots it has, and how many of them are taken. */
  let sizes = Uint32Array.of(FIRST_SLOTS);
  let counts = Uint32Array.of(0);
  /** From the beginning of one part to that of the next, in slots. */
  let apart = FIRST_SLOTS;
  /** What was read last; with a sign: without, half of all would be boxed. */
  let high = 0;
  let low = 0;
  /** What they are of: mostly one that is put in is looked for before. */
  let latest: string | undefined;

  function read(id: string): void {
    if (id === latest) return;
    latest = id;
    if (id.length === DIGITS && isHex(id)) return;
    high = 0x811c9dc5 | 0;
    low = 0x9747b28c | 0;
    for (let at = 0; at < id.length; at++) {
      const unit = id.charCodeAt(at);
      high = Math.imul(high ^ unit, 0x01000193);
      low = Math.imul(low ^ unit, 0x5bd1e995);
    }
  }

  /** Reads the id of a span. */
  function isHex(id: string): boolean {
    high = 0;
    low = 0;
    for (let at = 0; at < DIGITS; at++) {
      const digit = hexDigit(id.charCodeAt(at));
      if (digit < 0) return false;
      high = (high << 4) | (low >>> 28);
      low = (low << 4) | digit;
    }
    return true;
  }

  function partOf(hash: number): number {
    return sizes.length === 1 ? 0 : hash >>> (32 - PART_BITS);
  }

  function hashOfRead(): number {
    return Math.imul(high ^ Math.imul(low, 31), 0x9e3779b1);
  }

  /** Where what was read stands in its part, or would. */
  function slotIn(part: number, hash: number): number {
    const most = sizes[part] ?? 0;
    const first = part * apart;
    let at = (Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 7) % most;
    for (;;) {
      const slot = (first + at) * COLUMNS;
      if (slots[slot + VALUE] === 0) return slot;
      if (slots[slot + HIGH] === high && slots[slot + LOW] === low) return slot;
      at = at + 1 === most ? 0 : at + 1;
    }
  }

  /** Answers what stood there. */
  function put(value: number): number {
    const hash = hashOfRead();
    const part = partOf(hash);
    const slot = slotIn(part, hash);
    const before = slots[slot + VALUE] ?? 0;
    slots[slot + HIGH] = high;
    slots[slot + LOW] = low;
    slots[slot + VALUE] = value;
    if (before !== 0) return before;
    const count = (counts[part] ?? 0) + 1;
    counts[part] = count;
    const most = sizes[part] ?? 0;
    if (count > most * MOST_TAKEN) grow(part, Math.ceil(most * GROWTH));
    return before;
  }

  function grow(part: number, most: number): void {
    if (most <= apart) {
      const own = slots.subarray(part * apart * COLUMNS, (part * apart + apart) * COLUMNS);
      const taken = own.slice(0, (sizes[part] ?? 0) * COLUMNS);
      own.fill(0, 0, taken.length);
      sizes[part] = most;
      counts[part] = 0;
      putAll(taken);
      return;
    }
    const taken = slots;
    slots = new Int32Array(roomFor(most * sizes.length * COLUMNS));
    const parts = slots.length < LONG_WORDS ? 1 : 2 ** PART_BITS;
    apart = Math.floor(slots.length / COLUMNS / parts);
    // A short one takes all its room: each time it grows all is hashed again.
    sizes = new Uint32Array(parts).fill(
      parts === 1 ? apart : Math.ceil((most * sizes.length) / parts),
    );
    counts = new Uint32Array(parts);
    putAll(taken);
  }

  function putAll(taken: Int32Array): void {
    latest = undefined;
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
      const hash = hashOfRead();
      return numberOf(slots[slotIn(partOf(hash), hash) + VALUE] ?? 0);
    },
    set(id, value) {
      read(id);
      return numberOf(put(value + 1));
    },
  };
}

function numberOf(value: number): number | undefined {
  return value === 0 ? undefined : (value >>> 0) - 1;
}

/** What a lower-case digit of a hexadecimal number stands for; -1 where it is none. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}
