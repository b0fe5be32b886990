const MAX_LENGTH = 80;
/** A title lies at the beginning; what is behind is not read. */
const READ = 2_000;

/**
 * A title out of a thought or a message: its first sentence without Markdown, at most 80 characters, cut at a word
 * with `…`. `undefined` when there are no words in it.
 */
export function titleFrom(text: string): string | undefined {
  for (const paragraph of plainText(text.slice(0, READ)).split("\n")) {
    const line = paragraph.replace(/\s+/g, " ").trim();
    if (/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(line)) return shortened(firstSentence(line));
  }
  return undefined;
}

/** One line for each paragraph, heading or list item. */
function plainText(markdown: string): string {
  return (
    markdown
      .replace(/\r\n?/g, "\n")
      .replace(/^ {0,3}(?:```|~~~).*$/gm, "")
      .replace(/<!--.*?-->|<\/?[a-z][^<>\n]{0,200}>/gis, " ")
      .replace(/!?\[([^[\]]{0,500})\]\([^()\s]{0,500}(?:\s"[^"\n]{0,200}")?\)/g, "$1")
      // Line breaks inside a paragraph are spaces, those between blocks stay.
      .replace(/\n(?!\s*(?:\n|#{1,6}\s|[-*+>|]|\d{1,3}[.)]\s|$))/g, " ")
      .replace(/^(?:\s{0,8}(?:#{1,6}\s|[-*+]\s|\d{1,3}[.)]\s|>|\[[ x]\]\s))*/gm, "")
      .replace(/(\*{1,3}|_{2,3}|~~|`+)(?=\S)([^\n]*?\S)\1/g, "$2")
      .replace(/[\p{Cc}\p{Cs}]/gu, (character) => (character === "\n" ? "\n" : " "))
  );
}

/** Up to a full stop that a new sentence follows; "e.g. this" and "v1.2" go on. */
function firstSentence(line: string): string {
  const end = /[.!?…]+["'”’)\]]*(?=\s+[^\p{Ll}\s]|$)|[。！？]+/u.exec(line);
  return end === null ? line : line.slice(0, end.index + end[0].length);
}

function shortened(sentence: string): string {
  const characters = [...sentence];
  if (characters.length <= MAX_LENGTH) return sentence;
  const kept = characters.slice(0, MAX_LENGTH - 1).join("");
  const lastSpace = characters[MAX_LENGTH - 1] === " " ? kept.length : kept.lastIndexOf(" ");
  // A text without spaces is cut where it must be.
  const cut = lastSpace > MAX_LENGTH / 2 ? kept.slice(0, lastSpace) : kept;
  return `${cut.replace(/[\s,;:–—-]+$/u, "")}…`;
}
