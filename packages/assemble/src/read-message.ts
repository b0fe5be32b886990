import type { GenAiMessage, GenAiPart } from "@thoughtflow/semconv";
import { type Atom, atomsOf } from "@thoughtflow/workflow";

/** Where a message is: who keeps this keeps no words in memory, since they are read when they are looked at. */
export interface MessageSource {
  readonly message: ReadMessage | undefined;
}

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
