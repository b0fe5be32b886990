/** Characters of the texts that something is remembered of. */
const MOST_CHARACTERS = 1024 * 1024;

/** What remembers something that was made of a text. */
export interface Remembering {
  forget(): void;
}

/** Lets the latest remember: what is large is not kept twice. Takes each when it begins to, and the length of its text. */
export type ShortMemory = (one: Remembering, characters: number) => void;

export function createShortMemory(): ShortMemory {
  let remembering: Remembering[] = [];
  let characters = 0;
  return (one, length) => {
    characters += length;
    if (characters > MOST_CHARACTERS) {
      for (const other of remembering) other.forget();
      remembering = [];
      characters = length;
    }
    remembering.push(one);
  };
}
