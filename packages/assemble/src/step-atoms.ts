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
    wholeAtoms(message()).map(({ kind, key, role }, n) => ({
      kind,
      key: briefKey(key),
      role,
      get parts() {
        return wholeAtoms(message())[n]?.parts ?? [];
      },
    }));
}
