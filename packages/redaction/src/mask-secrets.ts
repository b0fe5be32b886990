import { withoutCurlPasswords } from "./curl-passwords.ts";
import {
  LONGEST_MATCH,
  type PrefixedSecrets,
  SECRET_FAMILIES,
  type SecretShape,
} from "./secret-families.ts";
import { hasSign } from "./signs.ts";

/** Shorter texts hold no secret that a pattern could tell. */
const SHORTEST = 12;

/** The text with every key-like secret replaced by `[redacted: kind]`; the same string when there is none. */
export function maskSecrets(text: string): string {
  if (text.length < SHORTEST) return text;
  return hasSign(text) ? withoutCurlPasswords(withoutFamilies(text)) : text;
}

function withoutFamilies(text: string): string {
  let masked = text;
  for (const family of SECRET_FAMILIES) {
    if (!family.trigger.test(masked)) continue;
    if ("bodies" in family) masked = withoutPrefixed(masked, family);
    else for (const shape of family.secrets) masked = withoutSecrets(masked, shape);
  }
  return masked;
}

function withoutPrefixed(text: string, { prefix: prefixes, bodies }: PrefixedSecrets): string {
  let safe = "";
  let from = 0;
  for (const { index, 1: prefix = "" } of text.matchAll(prefixes)) {
    const at = index + 1;
    for (const { kind, pattern, rest } of bodies.get(prefix) ?? []) {
      pattern.lastIndex = at;
      if (!pattern.test(text)) continue;
      const start = at - prefix.length;
      // What begins in the one before makes that longer.
      if (start >= from) safe += `${text.slice(from, start)}[redacted: ${kind}]`;
      const end = pattern.lastIndex;
      from = Math.max(from, end - at < LONGEST_MATCH ? end : endOf(rest, text, end));
      break;
    }
  }
  return safe + text.slice(from);
}

function withoutSecrets(text: string, { kind, pattern, rest }: SecretShape): string {
  let hasLong = false;
  const masked = text.replace(pattern, (secret, name: string) => {
    hasLong ||= secret.length >= LONGEST_MATCH;
    return `${name}[redacted: ${kind}]`;
  });
  if (!hasLong) return masked;
  let safe = "";
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const [secret, name = ""] = match;
    // It is part of the one before.
    if (match.index < from) continue;
    safe += `${text.slice(from, match.index)}${name}[redacted: ${kind}]`;
    from = match.index + secret.length;
    if (secret.length >= LONGEST_MATCH) from = endOf(rest, text, from);
  }
  return safe + text.slice(from);
}

/** Where what `rest` takes ends, from there on. */
function endOf(rest: RegExp, text: string, from: number): number {
  let end = from;
  rest.lastIndex = from;
  while (rest.test(text)) end = rest.lastIndex;
  return end;
}
