import { createWordRows } from "@thoughtflow/assemble";

/** What is remembered of a place for long: see `Place`. */
export interface PackedPlace {
  /** 16 hexadecimal digits. */
  readonly after: string | undefined;
  readonly turn: number;
}

/** Places of hundreds of thousands of records by their numbers, in 12 bytes of memory each. */
export interface PackedPlaces {
  set(row: number, place: PackedPlace): void;
  get(row: number): PackedPlace | undefined;
  clear(): void;
}

/** Of a row: both halves of the span id, then the turn and one, negative where there is no span; 0 where nothing is. */
const [HIGH, LOW, TURN, COLUMNS] = [0, 1, 2, 3];

export function createPackedPlaces(): PackedPlaces {
  let words = createWordRows(COLUMNS);
  return {
    set(row, { after, turn }) {
      words.set(row, HIGH, after === undefined ? 0 : Number.parseInt(after.slice(0, 8), 16));
      words.set(row, LOW, after === undefined ? 0 : Number.parseInt(after.slice(8), 16));
      words.set(row, TURN, after === undefined ? -1 - turn : turn + 1);
    },
    get(row) {
      const turn = words.get(row, TURN);
      if (turn === 0) return undefined;
      const after =
        turn < 0 ? undefined : halfOf(words.get(row, HIGH)) + halfOf(words.get(row, LOW));
      return { after, turn: Math.abs(turn) - 1 };
    },
    clear() {
      words = createWordRows(COLUMNS);
    },
  };
}

/** Eight hexadecimal digits. */
function halfOf(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
