import type { GenAiMessage, GenAiPart } from "@thoughtflow/semconv";
import { type Atom, atomsOf } from "@thoughtflow/workflow";

/** A message, and the pieces that it is made of, which are made when they are looked at. */
export class ReadMessage implements GenAiMessage {
  readonly role: string;
  readonly parts: readonly GenAiPart[];
  #atoms: readonly Atom[] | undefined;

  constructor(role: string, parts: readonly GenAiPart[]) {
    this.role = role;
    this.parts = parts;
  }

  get atoms(): readonly Atom[] {
    this.#atoms ??= atomsOf(this);
    return this.#atoms;
  }
}
