import { SECRET_FAMILIES } from "./secret-families.ts";

/** Shorter texts hold no secret that a pattern could tell. */
const SHORTEST = 12;

/** The text with every key-like secret replaced by `[redacted: kind]`; the same string when there is none. */
export function maskSecrets(text: string): string {
  if (text.length < SHORTEST) return text;
  let masked = text;
  for (const family of SECRET_FAMILIES) {
    if (!family.trigger.test(masked)) continue;
    for (const { kind, pattern } of family.secrets) {
      masked = masked.replace(pattern, `$1[redacted: ${kind}]`);
    }
  }
  return masked;
}
