import { hash } from "node:crypto";

/** Tells words apart that differ by more than white space; the words themselves would stay in memory. */
export function hashOfWords(words: string): string {
  return hash("sha256", words.replace(/\s+/g, " ").trim(), "base64url");
}
