/** What the tags of one thought say besides their text, by attribute as written. */
export type TagAttributes = Readonly<Record<string, string>>;

/** An opening or self-closing tag, read to its end. */
export interface ThinkingTag {
  readonly attributes: TagAttributes;
  readonly isSelfClosing: boolean;
  /** What closes the thought, without its `>`. */
  readonly closing: string;
  /** Where the tag ends in the text. */
  readonly end: number;
}

/** Longer tags are no tags. */
const LONGEST_TAG = 4096;

/** What opens a thought, longest first, and what closes it; models of several makers write one or the other. */
const TAGS = [
  { opening: "<thinking", closing: "</thinking" },
  { opening: "<think", closing: "</think" },
] as const;
const LONGEST_OPENING = TAGS[0].opening.length;

const [LESS_THAN, GREATER_THAN, QUOTE, APOSTROPHE] = [0x3c, 0x3e, 0x22, 0x27];
const [SPACE, SLASH] = [0x20, 0x2f];

/** Whether a character may stand behind a tag's name: `<thinker>` is no thought. */
function endsName(text: string, at: number): boolean {
  const character = text.charCodeAt(at);
  return (
    character === SPACE ||
    character === SLASH ||
    character === GREATER_THAN ||
    text[at]?.trim() === ""
  );
}

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

/** Reads the tag that begins at `at`: `more` where it goes on behind the text; `undefined` where it is none. */
export function readTag(text: string, at: number): ThinkingTag | "more" | undefined {
  for (const { opening, closing } of TAGS) {
    if (!text.startsWith(opening, at)) continue;
    const behind = at + opening.length;
    if (behind < text.length && !endsName(text, behind)) continue;
    const last = tagEnd(text, behind, at + LONGEST_TAG);
    if (last === NONE) return undefined;
    if (last === -1) return text.length - at < LONGEST_TAG ? "more" : undefined;
    const isSelfClosing = text[last - 1] === "/";
    const attributes = attributesIn(text.slice(behind, isSelfClosing ? last - 1 : last));
    return { attributes, isSelfClosing, closing, end: last + 1 };
  }
  if (text.length - at >= LONGEST_OPENING) return undefined;
  const rest = text.slice(at);
  return TAGS.some(({ opening }) => opening.startsWith(rest)) ? "more" : undefined;
}

/**
 * Whether a chunk only goes on with the attributes of a beginning that `readTag` wants more of: it needn't be read anew
 * for that.
 */
export function isWithinTag(tag: string, chunk: string): boolean {
  if (tag.length <= LONGEST_OPENING || tag.length + chunk.length >= LONGEST_TAG) return false;
  for (let at = 0; at < chunk.length; at++) {
    const character = chunk.charCodeAt(at);
    if (character === LESS_THAN || character === GREATER_THAN) return false;
  }
  return true;
}

/** What looked like a tag is none, whatever follows. */
const NONE = -2;

/** Where the tag's `>` stands: not inside quotes; `NONE` where a `<` stands before it, -1 when it doesn't. */
function tagEnd(text: string, from: number, limit: number): number {
  let quote = 0;
  const longest = Math.min(text.length, limit);
  for (let at = from; at < longest; at++) {
    const character = text.charCodeAt(at);
    if (quote !== 0) {
      if (character === quote) quote = 0;
    } else if (character === GREATER_THAN) return at;
    else if (character === LESS_THAN) return NONE;
    else if (character === QUOTE || character === APOSTROPHE) quote = character;
  }
  return -1;
}

function attributesIn(text: string): TagAttributes {
  // Without a prototype, an attribute may have any name.
  const found: Record<string, string> = Object.create(null);
  ATTRIBUTE.lastIndex = 0;
  for (let one = ATTRIBUTE.exec(text); one !== null; one = ATTRIBUTE.exec(text)) {
    const value = one[2] ?? one[3] ?? one[4] ?? "";
    found[one[1] ?? ""] = value.includes("&") ? unescaped(value) : value;
  }
  return found;
}

function unescaped(text: string): string {
  return text.replace(/&(?:quot|apos|#39|lt|gt|amp);/g, (one) => ENTITIES[one] ?? one);
}
