/**
 * Whole numbers in rows and columns, 4 bytes of memory each. It grows piece by piece: one of millions of rows never stands in
 * memory twice.
 */
export interface WordRows {
  /** A number of 32 bits with a sign; 0 where none was set. */
  get(row: number, column: number): number;
  set(row: number, column: number, word: number): void;
}

const PIECE_ROWS = 4_096;
/** The first piece is no longer than it has to be: of ten thousand tables most are short. */
const FIRST_ROWS = 16;

/** @param columns How many each row has. */
export function createWordRows(columns: number): WordRows {
  const pieces: (Int32Array | undefined)[] = [];

  function longer(piece: Int32Array | undefined, number: number, words: number): Int32Array {
    const few = Math.max(words, FIRST_ROWS * columns, 2 * (piece?.length ?? 0));
    const most = PIECE_ROWS * columns;
    const grown = new Int32Array(number === 0 ? Math.min(few, most) : most);
    if (piece !== undefined) grown.set(piece);
    while (pieces.length < number) pieces.push(undefined);
    pieces[number] = grown;
    return grown;
  }

  return {
    get(row, column) {
      const piece = pieces[Math.floor(row / PIECE_ROWS)];
      return piece?.[(row % PIECE_ROWS) * columns + column] ?? 0;
    },
    set(row, column, word) {
      const number = Math.floor(row / PIECE_ROWS);
      const at = (row % PIECE_ROWS) * columns + column;
      const piece = pieces[number];
      const isThere = piece !== undefined && at < piece.length;
      (isThere ? piece : longer(piece, number, at + 1))[at] = word;
    },
  };
}
