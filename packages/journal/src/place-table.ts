/** Names and where each stands, one by one: there may be half a million. */
export interface NamedPlaces {
  /** How many there are, or more. */
  readonly count: number;
  visit(take: (name: string, place: number) => void): void;
}

/** The places at which a name may stand: all that it has, and once in a while one of another name. */
export type PlaceTable = (name: string) => readonly number[];

/**
 * Names and where they stand, above 0, in some 16 bytes of memory each: a hash table that leaves the names out, by
 * open addressing.
 */
export function createPlaceTable({ count, visit }: NamedPlaces): PlaceTable {
  const size = 2 ** Math.ceil(Math.log2(count * 1.4 + 2));
  const hashes = new Uint32Array(size);
  const places = new Uint32Array(size);
  visit((name, place) => {
    const hash = hashOf(name);
    let at = hash % size;
    while (places[at] !== 0) at = (at + 1) % size;
    hashes[at] = hash;
    places[at] = place;
  });
  return (name) => {
    const hash = hashOf(name);
    const found: number[] = [];
    for (let at = hash % size, place = places[at]; place; place = places[at]) {
      if (hashes[at] === hash) found.push(place);
      at = (at + 1) % size;
    }
    return found;
  };
}

/** FNV-1a over UTF-16 units, 32 bits. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
