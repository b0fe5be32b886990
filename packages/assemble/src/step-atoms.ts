import type { GenAiMessage } from "@thoughtflow/semconv";
import { type Atom, atomsOf } from "@thoughtflow/workflow";
import { briefKey } from "./brief-key.ts";

/** The atoms of messages, with keys that are short, and parts that are read when they are looked at. */
export type StepAtoms = (message: () => GenAiMessage | undefined) => readonly Atom[];

export function createStepAtoms(): StepAtoms {
  const known = new WeakMap<GenAiMessage, readonly Atom[]>();

  function wholeAtoms(message: GenAiMessage | undefined): readonly Atom[] {
    if (message === undefined) return [];
    const atoms = known.get(message) ?? atomsOf(message);
    known.set(message, atoms);
    return atoms;
  }

  return (message) =>
    wholeAtoms(message()).map(
      (atom, n) =>
        new LateAtom(atom, briefKey(atom.key), () => wholeAtoms(message())[n]?.parts ?? []),
    );
}

/** The same atom under another key. */
export function withKey(atom: Atom, key: string): Atom {
  return new LateAtom(atom, key, () => atom.parts);
}

/** A class, since an object with a getter of its own takes five times the memory. */
class LateAtom implements Atom {
  readonly kind: Atom["kind"];
  readonly key: string;
  readonly role: Atom["role"];
  readonly #parts: () => Atom["parts"];

  constructor({ kind, role }: Atom, key: string, parts: () => Atom["parts"]) {
    this.kind = kind;
    this.key = key;
    this.role = role;
    this.#parts = parts;
  }

  get parts(): Atom["parts"] {
    return this.#parts();
  }
}
