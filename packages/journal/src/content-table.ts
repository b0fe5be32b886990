import { hash } from "node:crypto";

/** `[id, id of the list without its last piece, SHA-256 of the last piece]`; list 0 is the empty one. */
export type ListNode = readonly [id: number, previous: number, sha256: string];

/**
 * What a writer has written of content: every piece of text once, and every list of pieces as its last piece and
 * the list before it. So a conversation's history costs each call only what is new.
 */
export interface ContentTable {
  /** SHA-256 of the text; a text not seen before goes to `onPiece` first. */
  piece(text: string): string;
  /** Id of the list; its nodes not seen before wait for `takeNodes`. */
  list(pieces: readonly string[]): number;
  /** The new nodes since the last call, each behind those that it needs. */
  takeNodes(): readonly ListNode[];
  /** Forgets everything: what comes next stands for itself. Ids are not used again. */
  forget(): void;
}

interface Branch {
  readonly id: number;
  readonly next: Map<string, Branch>;
}

/** Bounds of the memory; what is forgotten is only written again. */
const MAX_ENTRIES = 50_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;

export function createContentTable(onPiece: (sha256: string, text: string) => void): ContentTable {
  let pieces = new Map<string, string>();
  let root: Branch = { id: 0, next: new Map() };
  let nodes: ListNode[] = [];
  let lastId = 0;
  let entries = 0;
  let characters = 0;

  function forget(): void {
    pieces = new Map();
    root = { id: 0, next: new Map() };
    entries = 0;
    characters = 0;
  }

  function makeRoom(): void {
    if (entries > MAX_ENTRIES || characters > MAX_CHARACTERS) forget();
  }

  function piece(text: string): string {
    const known = pieces.get(text);
    if (known !== undefined) return known;
    makeRoom();
    const sha256 = hash("sha256", text, "hex");
    onPiece(sha256, text);
    pieces.set(text, sha256);
    entries++;
    characters += text.length;
    return sha256;
  }

  function list(texts: readonly string[]): number {
    makeRoom();
    let branch = root;
    for (const text of texts) {
      let next = branch.next.get(text);
      if (next === undefined) {
        next = { id: ++lastId, next: new Map() };
        nodes.push([next.id, branch.id, piece(text)]);
        branch.next.set(text, next);
        entries++;
      }
      branch = next;
    }
    return branch.id;
  }

  function takeNodes(): readonly ListNode[] {
    const taken = nodes;
    nodes = [];
    return taken;
  }

  return { piece, list, takeNodes, forget };
}
