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
const FIRST_ROWS = 16;

export function createPackedPlaces(): PackedPlaces {
  let cells = new Int32Array(FIRST_ROWS * COLUMNS);

  function makeRoom(rows: number): void {
    if (rows * COLUMNS <= cells.length) return;
    const grown = new Int32Array(Math.max(rows * COLUMNS, cells.length * 2));
    grown.set(cells);
    cells = grown;
  }

  return {
    set(row, { after, turn }) {
      makeRoom(row + 1);
      const at = row * COLUMNS;
      cells[at + HIGH] = after === undefined ? 0 : Number.parseInt(after.slice(0, 8), 16);
      cells[at + LOW] = after === undefined ? 0 : Number.parseInt(after.slice(8), 16);
      cells[at + TURN] = after === undefined ? -1 - turn : turn + 1;
    },
    get(row) {
      const at = row * COLUMNS;
      const turn = cells[at + TURN] ?? 0;
      if (turn === 0) return undefined;
      const after = turn < 0 ? undefined : halfOf(cells[at + HIGH]) + halfOf(cells[at + LOW]);
      return { after, turn: Math.abs(turn) - 1 };
    },
    clear() {
      cells = new Int32Array(FIRST_ROWS * COLUMNS);
    },
  };
}

/** Eight hexadecimal digits. */
function halfOf(word = 0): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
