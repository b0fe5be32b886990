/** Numbers for the ids of records, from 0: of millions of UUIDs in some 40 bytes of memory each. */
export interface RecordRows {
  /** The record's number; a new one where it has none yet. */
  of(id: string): number;
  /** The same, `undefined` where it has none. */
  get(id: string): number | undefined;
}

/** Of a UUID. */
const CHARACTERS = 36;
/** Of an id: a UUID has 128 bits. */
const WORDS = 4;
/** Of a word. */
const DIGITS = 8;
const HYPHEN = 0x2d;
/** Of ten thousand sessions most are short. */
const FIRST_ROWS = 16;

/** The UUID that was read last, whichever table was asked for it: mostly several are. With a sign: without, half of all words would be boxed. */
const key = new Int32Array(WORDS);
let read: string | undefined;

/** Reads what is a UUID, in lower case. */
function isUuid(id: string): boolean {
  if (id === read) return true;
  read = undefined;
  if (id.length !== CHARACTERS) return false;
  let word = 0;
  let digits = 0;
  let value = 0;
  for (let at = 0; at < CHARACTERS; at++) {
    const code = id.charCodeAt(at);
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (code !== HYPHEN) return false;
      continue;
    }
    const digit = hexDigit(code);
    if (digit < 0) return false;
    value = (value << 4) | digit;
    if (++digits < DIGITS) continue;
    key[word++] = value;
    digits = 0;
  }
  read = id;
  return true;
}

/** A hash table by open addressing; ids of another form are in a map. */
export function createRecordRows(): RecordRows {
  const others = new Map<string, number>();
  let count = 0;
  let ids = new Int32Array(FIRST_ROWS * WORDS);
  /** Row numbers, from 1; at most half of them are taken. */
  let slots = new Uint32Array(2 * FIRST_ROWS);
  /** The one that was asked for last, which mostly is asked for again. */
  let latest: string | undefined;
  let latestRow = 0;

  function isAt(row: number): boolean {
    for (let word = 0; word < WORDS; word++)
      if (ids[row * WORDS + word] !== key[word]) return false;
    return true;
  }

  /** Where the key stands, or would. */
  function slotOf(hash: number): number {
    let at = hash & (slots.length - 1);
    for (let row = slots[at]; row && !isAt(row - 1); row = slots[at])
      at = (at + 1) & (slots.length - 1);
    return at;
  }

  function hashOf(a: number, b: number, c: number, d: number): number {
    return Math.imul(a ^ Math.imul(b, 31) ^ Math.imul(c, 17) ^ d, 0x9e3779b1) >>> 7;
  }

  function slotOfKey(): number {
    return slotOf(hashOf(key[0] ?? 0, key[1] ?? 0, key[2] ?? 0, key[3] ?? 0));
  }

  function grow(): void {
    read = undefined;
    const grown = new Int32Array(ids.length * 2);
    grown.set(ids);
    ids = grown;
    const taken = slots;
    slots = new Uint32Array(taken.length * 2);
    for (const row of taken) {
      if (row === 0) continue;
      for (let word = 0; word < WORDS; word++) key[word] = ids[(row - 1) * WORDS + word] ?? 0;
      slots[slotOfKey()] = row;
    }
  }

  function found(id: string, row: number): number {
    latest = id;
    latestRow = row;
    return row;
  }

  return {
    of(id) {
      if (id === latest) return latestRow;
      if ((count + 1) * WORDS > ids.length) grow();
      if (!isUuid(id)) {
        const row = others.get(id) ?? count++;
        others.set(id, row);
        return found(id, row);
      }
      const at = slotOfKey();
      const known = slots[at];
      if (known) return found(id, known - 1);
      ids.set(key, count * WORDS);
      slots[at] = ++count;
      return found(id, count - 1);
    },
    get(id) {
      if (id === latest) return latestRow;
      if (!isUuid(id)) return others.get(id);
      const row = slots[slotOfKey()];
      return row ? found(id, row - 1) : undefined;
    },
  };
}

/** What a lower-case digit of a hexadecimal number stands for; -1 where it is none. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}
