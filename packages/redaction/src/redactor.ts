import { maskSecrets } from "./mask-secrets.ts";
import { redactText } from "./redact-text.ts";
import { redactValue } from "./redact-value.ts";
import type { RedactionConfig, RedactorOptions } from "./redaction-config.ts";
import { SECRET_FIELD } from "./secret-families.ts";

/** Makes values safe to write, in the process that made them, before any sink sees them. */
export interface Redactor {
  /**
   * A plain-JSON copy of any value: strings redacted, base64 above 1 KiB and embedding vectors replaced by a
   * note of what was left out. Total: cycles, throwing getters, bigints, functions and deep nesting all give an
   * answer; a failing hook gives `[redacted: error]`.
   */
  value(value: unknown, attribute: string): unknown;
  /** One string: a name, a status message, a stack, an attribute. Of one that is called `…authorization` nothing stays. */
  text(text: string, attribute: string): string;
  /** The name of an attribute, without the secrets that somebody made part of it; the hook doesn't see names. */
  key(name: string): string;
}

/** Programs have few names, and short ones: what was found of them is known, up to so many of such a length. */
const MOST_NAMES = 1024;
const LONGEST_NAME = 100;

function isRemembered(name: string, { size }: { readonly size: number }): boolean {
  return size < MOST_NAMES && name.length <= LONGEST_NAME;
}

/** Masking key-like secrets costs 300 to 600 MB of text a second where there is none; see the README. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { secrets = true, redact, media = "omit" } = options;
  const config: RedactionConfig = { secrets, redact, media };
  const harmless = new Set<string>();
  /** What the attributes are called whose values are secrets; `undefined` for the others. */
  const fields = new Map<string, string | undefined>();

  function secretField(attribute: string): string | undefined {
    if (!secrets || fields.has(attribute)) return fields.get(attribute);
    const field = attribute.slice(attribute.lastIndexOf(".") + 1);
    const found = SECRET_FIELD.test(field) ? field.toLowerCase() : undefined;
    if (isRemembered(attribute, fields)) fields.set(attribute, found);
    return found;
  }

  function text(words: string, attribute: string): string {
    const field = words === "" ? undefined : secretField(attribute);
    return field === undefined ? redactText(words, attribute, config) : `[redacted: ${field}]`;
  }

  function key(name: string): string {
    if (!secrets || harmless.has(name)) return name;
    const safe = maskSecrets(name);
    if (safe === name && isRemembered(name, harmless)) harmless.add(name);
    return safe;
  }

  return {
    value: (value, attribute) => redactValue(value, attribute, config),
    text,
    key,
  };
}

/** Masks secrets, leaves media out, asks no hook. */
export const defaultRedactor: Redactor = createRedactor();
