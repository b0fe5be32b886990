import type { StoredText } from "@thoughtflow/schema";
import type { ByteReader } from "./byte-reader.ts";

/** The text of a piece, read from its file whenever it is looked at; empty when the file is gone. */
export class StoredPiece implements StoredText {
  readonly bytes: number;
  readonly #path: string;
  readonly #start: number;
  readonly #reader: ByteReader;

  constructor(path: string, start: number, end: number, reader: ByteReader) {
    this.bytes = end - start;
    this.#path = path;
    this.#start = start;
    this.#reader = reader;
  }

  /** Made when it is asked for: a session has a hundred thousand of them. */
  get name(): string {
    return `${this.#path}:${this.#start}`;
  }

  get text(): string {
    const end = this.#start + this.bytes;
    return this.#reader.read(this.#path, this.#start, end).toString("utf8");
  }

  toJSON(): string {
    return this.text;
  }
}
