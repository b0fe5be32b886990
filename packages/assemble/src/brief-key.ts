import { hash } from "node:crypto";

/** Longer texts are told apart by their SHA-256: a key is kept, the text is not. */
const LONGEST = 128;

/** Stands for a text where only equality counts. */
export function briefKey(text: string): string {
  if (text.length <= LONGEST) return text;
  return `\0${hash("sha256", text, "base64")}`;
}
