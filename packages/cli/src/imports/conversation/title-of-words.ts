import { titleFrom } from "@thoughtflow/thoughts";

const OPENING = /^\s*<([a-z][\w-]*)>/i;

/** What a session may be called after words: after what stands behind the tagged notes that programs put before them, like the file that is open. */
export function titleOfWords(text: string): string | undefined {
  let words = text;
  for (;;) {
    const [opening, tag] = OPENING.exec(words) ?? [];
    if (opening === undefined) return titleFrom(words) || undefined;
    const closing = `</${tag}>`;
    const end = words.indexOf(closing, opening.length);
    // A tag that nothing closes says nothing of where the words begin.
    if (end === -1) return undefined;
    words = words.slice(end + closing.length);
  }
}
