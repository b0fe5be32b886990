import { oneLine } from "./clean-text.ts";

/** Punctuation that Mermaid, its Markdown or HTML reads: a full stop or a dash only where it could open a list. */
const special = /[^\w\s.,'():/?!\u{80}-\u{10ffff}-]|_|[.-](?=\s)/gu;

/**
 * Any text as it may stand between the quotes of a Mermaid label, on one line. What Mermaid could take for more
 * than text becomes a character code, which Mermaid turns back.
 */
export function mermaidText(text: string): string {
  return oneLine(text).replace(special, (found) => `#${found.codePointAt(0)};`);
}
