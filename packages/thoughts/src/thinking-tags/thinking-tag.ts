/** What the tags of one thought say besides their text, by attribute as written. */
export type TagAttributes = Readonly<Record<string, string>>;

/** An opening or self-closing tag, read to its end. */
export interface ThinkingTag {
  readonly name: string;
  readonly attributes: TagAttributes;
  readonly isSelfClosing: boolean;
}

/** Longer tags are no tags. */
export const LONGEST_TAG = 4096;

/** The names that open a thought, longest first; models of several makers write one or the other. */
const NAMES = ["thinking", "think"] as const;
const LONGEST_NAME = NAMES[0].length;

/** A character that may not stand behind a tag's name: `<thinker>` is no thought. */
const NAME_END = /[\s/>]/;

/** A name begins where none goes on, or a long one would be tried from each of its characters. */
const ATTRIBUTE =
  /(?<![\w:.-])([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`=]+?)(?=\s|\/?>|$))/g;

const ENTITIES: Readonly<Record<string, string>> = {
  "&quot;": '"',
  "&apos;": "'",
  "&#39;": "'",
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
};

/**
 * Reads the tag at the beginning of a text: the tag and its length; `more` where it goes on behind the text; `undefined`
 * where it is none.
 */
export function readTag(
  text: string,
): { readonly tag: ThinkingTag; readonly length: number } | "more" | undefined {
  const name = NAMES.find(
    (one) => text.startsWith(`<${one}`) && !continuesName(text, one.length + 1),
  );
  if (name === undefined) {
    return NAMES.some((one) => `<${one}`.startsWith(text)) ? "more" : undefined;
  }
  const end = tagEnd(text, name.length + 1);
  if (end === NONE) return undefined;
  if (end === -1) return text.length < LONGEST_TAG ? "more" : undefined;
  const inside = text.slice(name.length + 1, end);
  const isSelfClosing = inside.endsWith("/");
  const attributes = attributesIn(isSelfClosing ? inside.slice(0, -1) : inside);
  return { tag: { name, attributes, isSelfClosing }, length: end + 1 };
}

/**
 * Whether a chunk only goes on with the attributes of a beginning that `readTag` wants more of: it needn't be read anew
 * for that.
 */
export function isWithinTag(tag: string, chunk: string): boolean {
  return (
    tag.length > LONGEST_NAME + 1 &&
    tag.length + chunk.length < LONGEST_TAG &&
    !chunk.includes(">") &&
    !chunk.includes("<")
  );
}

/** Whether the name goes on: at the end of the text nobody knows yet. */
function continuesName(text: string, at: number): boolean {
  return at < text.length && !NAME_END.test(text[at] ?? "");
}

/** What looked like a tag is none, whatever follows. */
const NONE = -2;

/** Where the tag's `>` stands: not inside quotes; `NONE` where a `<` stands before it, -1 when it doesn't. */
function tagEnd(text: string, from: number): number {
  let quote = "";
  const longest = Math.min(text.length, LONGEST_TAG);
  for (let at = from; at < longest; at++) {
    const character = text[at] ?? "";
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === ">") return at;
    else if (character === "<") return NONE;
    else if (character === '"' || character === "'") quote = character;
  }
  return -1;
}

function attributesIn(text: string): TagAttributes {
  const found = Array.from(text.matchAll(ATTRIBUTE), ([, name = "", double, single, bare]) => [
    name,
    (double ?? single ?? bare ?? "").replace(
      /&(?:quot|apos|#39|lt|gt|amp);/g,
      (one) => ENTITIES[one] ?? one,
    ),
  ]);
  return Object.fromEntries(found);
}
