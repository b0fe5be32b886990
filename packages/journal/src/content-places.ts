import type { ListNode } from "./content-table.ts";
import { createKeyedRows } from "./keyed-rows.ts";
import type { Place } from "./record-places.ts";

/** Where the texts and lists of one file stand: some 55 bytes of memory a text, and 30 a list. */
export interface ContentPlaces {
  /** How many there are, or more. */
  readonly count: number;
  /** One that is no SHA-256 in hex is nobody's. */
  addPiece(sha256: string, start: number, end: number): void;
  addNode(node: ListNode, start: number): void;
  piece(sha256: string): Place | undefined;
  node(id: number): ListNode | undefined;
  /** All of them, each with where the body starts that tells it. */
  visit(take: (name: string, start: number) => void): void;
}

/** Of a piece: its hash, then where it starts and ends; 0 while only a list has named it. */
const [HASH_WORDS, START, END, PIECE_COLUMNS] = [8, 8, 9, 10];
/** Of a list: its id, that of the list before, its last piece by row, where the body starts that tells it. */
const [PREVIOUS, LAST, TOLD, NODE_COLUMNS] = [1, 2, 3, 4];
const SHA256 = /^[0-9a-f]{64}$/;
const DIGITS_A_WORD = 8;

/** What a list is called among the names of a file. */
export function nodeName(id: number): string {
  return `#${id}`;
}

/** @param path of the file */
export function createContentPlaces(path: string): ContentPlaces {
  const pieces = createKeyedRows(HASH_WORDS, PIECE_COLUMNS);
  const nodes = createKeyedRows(1, NODE_COLUMNS);

  const hashAt = (row: number): string => {
    let hash = "";
    for (let column = 0; column < HASH_WORDS; column++)
      hash += pieces.get(row, column).toString(16).padStart(DIGITS_A_WORD, "0");
    return hash;
  };

  return {
    get count() {
      return pieces.count + nodes.count;
    },
    addPiece(sha256, start, end) {
      const hash = wordsOf(sha256);
      if (hash === undefined) return;
      const row = pieces.rowOf(hash);
      pieces.set(row, START, start);
      pieces.set(row, END, end);
    },
    addNode([id, previous, sha256], start) {
      const hash = wordsOf(sha256);
      if (hash === undefined) return;
      const row = nodes.rowOf([id]);
      nodes.set(row, PREVIOUS, previous);
      nodes.set(row, LAST, pieces.rowOf(hash));
      nodes.set(row, TOLD, start);
    },
    piece(sha256) {
      const hash = wordsOf(sha256);
      const row = hash && pieces.find(hash);
      if (row === undefined) return undefined;
      const end = pieces.get(row, END);
      return end === 0 ? undefined : { path, start: pieces.get(row, START), end };
    },
    node(id) {
      const row = nodes.find([id]);
      if (row === undefined) return undefined;
      return [id, nodes.get(row, PREVIOUS), hashAt(nodes.get(row, LAST))];
    },
    visit(take) {
      for (let row = 0; row < pieces.count; row++)
        if (pieces.get(row, END) > 0) take(hashAt(row), pieces.get(row, START));
      for (let row = 0; row < nodes.count; row++)
        take(nodeName(nodes.get(row, 0)), nodes.get(row, TOLD));
    },
  };
}

/** A hash in words of 32 bits. */
function wordsOf(sha256: string): number[] | undefined {
  if (!SHA256.test(sha256)) return undefined;
  const words: number[] = [];
  for (let at = 0; at < sha256.length; at += DIGITS_A_WORD)
    words.push(Number.parseInt(sha256.slice(at, at + DIGITS_A_WORD), 16));
  return words;
}
