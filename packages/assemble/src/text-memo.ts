import type { StoredText } from "@thoughtflow/schema";
import { keyOfText, textOf } from "@thoughtflow/schema/stored-text";

/** Characters of the texts that something is remembered of. */
const MOST_CHARACTERS = 1024 * 1024;

/** Makes something of a text, once for each as long as not many others come: what is large is not kept twice. */
export function createTextMemo<T>(make: (text: string) => T): (text: string | StoredText) => T {
  const made = new Map<string, T>();
  let characters = 0;
  return (text) => {
    const key = keyOfText(text);
    const known = made.get(key);
    if (known !== undefined || made.has(key)) return known as T;
    const words = textOf(text);
    characters += words.length;
    if (characters > MOST_CHARACTERS) {
      made.clear();
      characters = words.length;
    }
    const value = make(words);
    made.set(key, value);
    return value;
  };
}
