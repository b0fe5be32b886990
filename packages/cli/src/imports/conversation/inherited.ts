import type { Place } from "./places.ts";
import { NO_TEXTS, type TextsSoFar, withLastText, withTexts } from "./texts-so-far.ts";

/** What a conversation took over from another session: the next call is given all of it. */
export interface Inherited {
  /** @param message As JSON text. */
  add(message: string, isInstruction?: boolean): void;
  /** Puts another message in the place of the last one. */
  replaceLast(message: string): void;
  /** After what was added so far. */
  place(turn: number): Place;
}

export function createInherited(): Inherited {
  let pending = NO_TEXTS;
  let told: TextsSoFar | undefined;
  return {
    add(message, isInstruction = false) {
      pending = withTexts(pending, [message]);
      if (isInstruction) told = withTexts(told ?? NO_TEXTS, [message]);
    },
    replaceLast(message) {
      pending = withLastText(pending, message);
    },
    place: (turn) => ({ after: undefined, turn, told, pending }),
  };
}
