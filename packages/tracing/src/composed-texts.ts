import type { TextRange } from "@thoughtflow/semconv";
import { processState } from "./process-state.ts";
import type { PromptPart } from "./prompt-part.ts";

/** A text that `composePrompt` made. */
export interface ComposedText {
  readonly text: string;
  readonly parts: readonly PromptPart[];
  readonly separator: string;
  readonly beside: readonly PromptPart[];
}

/** A part of a composed text, found in a text that a model is sent. */
export interface FoundPart extends TextRange {
  readonly part: PromptPart;
}

/** What was composed lately, the latest last. */
export interface ComposedTexts {
  add(composed: ComposedText): void;
  /** What a text was made of: the latest composition that it is equal to, else contains, else consists of by half. */
  find(text: string): ComposedText | undefined;
  isEmpty(): boolean;
}

const KEPT_TEXTS = 256;
const KEPT_CHARACTERS = 16 * 1024 * 1024;
/** A shorter text may stand in another one by chance. */
const SHORTEST_INSIDE = 24;
/** Of the compositions that a text may have been changed from, so many are looked at. */
const COMPARED = 16;
const SHORTEST_PART = 8;

function createComposedTexts(): ComposedTexts {
  const texts: ComposedText[] = [];
  let characters = 0;
  return {
    add(composed) {
      if (composed.text === "") return;
      texts.push(composed);
      characters += composed.text.length;
      while (texts.length > KEPT_TEXTS || (characters > KEPT_CHARACTERS && texts.length > 1)) {
        characters -= texts.shift()?.text.length ?? 0;
      }
    },
    isEmpty: () => texts.length === 0,
    find(text) {
      if (text === "") return undefined;
      return (
        texts.findLast((composed) => composed.text === text) ??
        texts.findLast(
          (composed) => composed.text.length >= SHORTEST_INSIDE && text.includes(composed.text),
        ) ??
        texts.slice(-COMPARED).findLast((composed) => isMostly(text, composed))
      );
    },
  };
}

function isMostly(text: string, composed: ComposedText): boolean {
  const found = placesOfParts(text, composed);
  const characters = found.reduce((sum, { start, end }) => sum + end - start, 0);
  return characters >= SHORTEST_INSIDE && characters * 2 >= composed.text.length;
}

/** Where the parts of a composition stand in a text that holds it, whole or changed, in the order of their places. */
export function partsIn(text: string, composed: ComposedText): readonly FoundPart[] {
  const at = text.indexOf(composed.text);
  return at < 0 ? placesOfParts(text, composed) : placesFrom(at, composed);
}

function placesFrom(at: number, { parts, separator }: ComposedText): readonly FoundPart[] {
  let start = at;
  return parts.map((part) => {
    const found = { part, start, end: start + part.value.length };
    start = found.end + separator.length;
    return found;
  });
}

function placesOfParts(text: string, { parts }: ComposedText): readonly FoundPart[] {
  const found: FoundPart[] = [];
  let from = 0;
  for (const part of parts) {
    const { value } = part;
    const start = value.length < SHORTEST_PART ? -1 : text.indexOf(value, from);
    if (start < 0) continue;
    from = start + value.length;
    found.push({ part, start, end: from });
  }
  return found;
}

/** The compositions of this process, also where two copies of this package are loaded. */
export const composedTexts: ComposedTexts = processState("composed-texts.v1", createComposedTexts);
