import { columnsOf } from "./plain-text.ts";

/** A line in lines of at most so many columns, broken between words where that is possible. */
export function wrapColumns(paragraph: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let current = "";
  let used = 0;
  for (const word of paragraph.split(/(?<= )/u)) {
    const width = columnsOf(word.trimEnd());
    if (used > 0 && used + width > columns) {
      lines.push(current.trimEnd());
      [current, used] = ["", 0];
    }
    for (const piece of width > columns ? piecesOf(word, columns) : [word]) {
      if (used > 0 && used + columnsOf(piece.trimEnd()) > columns) {
        lines.push(current.trimEnd());
        [current, used] = ["", 0];
      }
      current += piece;
      used += columnsOf(piece);
    }
  }
  return [...lines, current];
}

/** A word too long for a line, in pieces of at most so many columns. */
function piecesOf(word: string, columns: number): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  for (const character of word) {
    const width = columnsOf(character);
    if (used + width > columns) {
      pieces.push(piece);
      [piece, used] = ["", 0];
    }
    piece += character;
    used += width;
  }
  return [...pieces, piece];
}
