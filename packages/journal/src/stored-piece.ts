import type { StoredText } from "@thoughtflow/schema";
import type { ByteReader } from "./byte-reader.ts";

/** The text of a piece, read from its file whenever it is looked at; empty when the file is gone. */
export class StoredPiece implements StoredText {
  readonly name: string;
  readonly bytes: number;
  readonly #path: string;
  readonly #start: number;
  readonly #reader: ByteReader;

  constructor(name: string, path: string, start: number, end: number, reader: ByteReader) {
    this.name = name;
    this.bytes = end - start;
    this.#path = path;
    this.#start = start;
    this.#reader = reader;
  }

  get text(): string {
    const end = this.#start + this.bytes;
    return this.#reader.read(this.#path, this.#start, end).toString("utf8");
  }

  toJSON(): string {
    return this.text;
  }
}
