import { endianness } from "node:os";

/** Names and where each stands, one by one: there may be half a million. */
export interface NamedPlaces {
  /** How many there are, or more. */
  readonly count: number;
  visit(take: (name: string, place: number) => void): void;
}

/** The places at which a name may stand: all that it has, and once in a while one of another name. */
export type PlaceTable = (name: string) => readonly number[];

/** Of the two halves of a row: which of them counts more is for the machine to say. */
const [PLACE, HASH] = endianness() === "LE" ? [0, 1] : [1, 0];

/**
 * Names and where they stand, in 8 bytes of memory each: hashes in order, which leave the names out. A name may stand at tens of
 * thousands of places, as that of a long session does.
 */
export function createPlaceTable({ count, visit }: NamedPlaces): PlaceTable {
  const rows = new BigUint64Array(count);
  const halves = new Uint32Array(rows.buffer);
  let length = 0;
  visit((name, place) => {
    halves[2 * length + HASH] = hashOf(name);
    halves[2 * length + PLACE] = place;
    length++;
  });
  rows.subarray(0, length).sort();
  return (name) => {
    const hash = hashOf(name);
    const hashAt = (row: number): number => halves[2 * row + HASH] ?? 0;
    let [from, to] = [0, length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (hashAt(middle) < hash) from = middle + 1;
      else to = middle;
    }
    const found: number[] = [];
    for (let row = from; row < length && hashAt(row) === hash; row++)
      found.push(halves[2 * row + PLACE] ?? 0);
    return found;
  };
}

/** FNV-1a over UTF-16 units, 32 bits. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
