import { redactText } from "./redact-text.ts";
import { redactValue } from "./redact-value.ts";

/** Makes values safe to write, in the process that made them, before any sink sees them. */
export interface Redactor {
  /**
   * A plain-JSON copy of any value: strings redacted, base64 above 1 KiB and embedding vectors replaced by a
   * note of what was left out. Total: cycles, throwing getters, bigints, functions and deep nesting all give an
   * answer; a failing hook gives `[redacted: error]`.
   */
  value(value: unknown, attribute: string): unknown;
  /** One string: a name, a status message, a stack. */
  text(text: string, attribute: string): string;
}

export interface RedactorOptions {
  /** Mask secrets that look like keys as `[redacted: kind]`. Default true. */
  readonly secrets?: boolean;
  /**
   * Sees every string value once, after the detectors; its answer is what is written. Synchronous: a promise,
   * like a throw or any answer that is no string, gives `[redacted: error]`.
   */
  readonly redact?: (text: string, attribute: string) => string;
  /** What happens to base64 of 1,024 characters and more. Default `omit`: a note with hash and size stays. */
  readonly media?: "omit" | "keep";
}

export interface RedactionConfig {
  readonly secrets: boolean;
  readonly redact: RedactorOptions["redact"];
  readonly media: "omit" | "keep";
}

/** Masking key-like secrets costs 300 to 600 MB of text a second where there is none; see the README. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { secrets = true, redact, media = "omit" } = options;
  const config: RedactionConfig = { secrets, redact, media };
  return {
    value: (value, attribute) => redactValue(value, attribute, config),
    text: (text, attribute) => redactText(text, attribute, config),
  };
}

/** Masks secrets, leaves media out, asks no hook. */
export const defaultRedactor: Redactor = createRedactor();
