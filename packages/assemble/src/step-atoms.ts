import type { GenAiMessage } from "@thoughtflow/semconv";
import { type Atom, atomsOf } from "@thoughtflow/workflow";
import { briefKey } from "./brief-key.ts";

/** Gives a message again, whenever it is asked. */
type MessageReader = () => GenAiMessage | undefined;

/** The atoms of messages, as long as somebody has these. */
const known = new WeakMap<GenAiMessage, readonly Atom[]>();

/**
 * The atoms of a message, with keys that are short, and parts that are read when they are looked at.
 *
 * @param read what gives the message again
 */
export function stepAtoms(message: GenAiMessage, read: MessageReader): readonly Atom[] {
  return wholeAtoms(message).map((atom, place) => new LateAtom(atom, read, place));
}

function wholeAtoms(message: GenAiMessage): readonly Atom[] {
  let atoms = known.get(message);
  if (atoms === undefined) {
    atoms = atomsOf(message);
    known.set(message, atoms);
  }
  return atoms;
}

/** A class, since an object with a getter of its own takes five times the memory. */
class LateAtom implements Atom {
  readonly kind: Atom["kind"];
  readonly role: string;
  readonly #read: MessageReader;
  readonly #place: number;
  #key: string | undefined;

  constructor({ kind, role }: Atom, read: MessageReader, place: number) {
    this.kind = kind;
    this.role = role;
    this.#read = read;
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
    const message = this.#read();
    return message && wholeAtoms(message)[this.#place];
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
