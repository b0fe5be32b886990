import { badArguments } from "./command-error.ts";
import { nearestMatch } from "./nearest-match.ts";

/** What a command's first positional may be, by name, each with one line for the help. */
export type FirstWords<T extends { readonly summary: string }> = Readonly<Record<string, T>>;

/** What a word stands for. Throws what there is instead when it stands for nothing. */
export function firstWord<T extends { readonly summary: string }>(
  command: string,
  words: FirstWords<T>,
  word: string,
): T {
  const found = Object.hasOwn(words, word) ? words[word] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(words);
  const like = nearestMatch(word, names);
  const hint = like === undefined ? `There are: ${names.join(", ")}.` : `Did you mean ${like}?`;
  throw badArguments(`${command} knows no ${word}. ${hint}`);
}
