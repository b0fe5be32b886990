/**
 * A text that stays where it is stored and is read whenever it is looked at: what a session says need not fit into
 * memory. Plain data; in JSON it is the text.
 */
export interface StoredText {
  /** Equal names mean equal texts. */
  readonly name: string;
  /** Of its UTF-8. */
  readonly bytes: number;
  readonly text: string;
  toJSON(): string;
}

/** A text as such, read if it is stored. */
export function textOf(text: string | StoredText): string {
  return typeof text === "string" ? text : text.text;
}

/** What tells texts apart without reading them: equal keys mean equal texts. */
export function keyOfText(text: string | StoredText): string {
  return typeof text === "string" ? text : text.name;
}

/** Tells the text of a content attribute from its list of texts. */
export function isText(value: unknown): value is string | StoredText {
  return (
    typeof value === "string" || (typeof value === "object" && value !== null && "bytes" in value)
  );
}
