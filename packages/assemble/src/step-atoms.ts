import type { Atom } from "@thoughtflow/workflow";
import { briefKey } from "./brief-key.ts";
import type { MessageSource } from "./read-message.ts";

/** The atoms of a message, with keys that are short, and parts that are read when they are looked at. */
export function stepAtoms(source: MessageSource): readonly Atom[] {
  const { atoms = [] } = source.message ?? {};
  return atoms.map(({ kind, role }, place) => new LateAtom(kind, role, source, place));
}

/** A class, since an object with a getter of its own takes five times the memory. */
class LateAtom implements Atom {
  readonly kind: Atom["kind"];
  readonly role: string;
  readonly #source: MessageSource;
  readonly #place: number;
  #key: string | undefined;

  constructor(kind: Atom["kind"], role: string, source: MessageSource, place: number) {
    this.kind = kind;
    this.role = role;
    this.#source = source;
    this.#place = place;
  }

  get key(): string {
    this.#key ??= briefKey(this.#whole?.key ?? "");
    return this.#key;
  }

  get parts(): Atom["parts"] {
    return this.#whole?.parts ?? [];
  }

  get #whole(): Atom | undefined {
    return this.#source.message?.atoms[this.#place];
  }
}

/** The same atom under another key. */
export function withKey(atom: Atom, key: string): Atom {
  return new KeyedAtom(atom, key);
}

class KeyedAtom implements Atom {
  readonly kind: Atom["kind"];
  readonly key: string;
  readonly role: string;
  readonly #atom: Atom;

  constructor(atom: Atom, key: string) {
    this.kind = atom.kind;
    this.key = key;
    this.role = atom.role;
    this.#atom = atom;
  }

  get parts(): Atom["parts"] {
    return this.#atom.parts;
  }
}
