import { moreWords } from "./more-words.ts";

/** Whole numbers in rows and columns, 4 bytes of memory each: one of hundreds of thousands of rows never stands in memory twice. */
export interface WordRows {
  /** A number of 32 bits with a sign; 0 where none was set. */
  get(row: number, column: number): number;
  set(row: number, column: number, word: number): void;
}

const FIRST_ROWS = 16;

/** @param columns How many each row has. */
export function createWordRows(columns: number): WordRows {
  let words = new Int32Array(FIRST_ROWS * columns);
  return {
    get: (row, column) => words[row * columns + column] ?? 0,
    set(row, column, word) {
      const at = row * columns + column;
      if (at >= words.length) words = moreWords(words, at + 1);
      words[at] = word;
    },
  };
}
