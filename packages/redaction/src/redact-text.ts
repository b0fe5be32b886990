/// <reference lib="es2024.string" />
import { maskSecrets } from "./mask-secrets.ts";
import { findBase64, LONG_BASE64, omitInText } from "./media.ts";
import type { RedactionConfig } from "./redaction-config.ts";

/** What stands in place of a text that could not be redacted. */
const REDACTION_FAILED = "[redacted: error]";

/** One text made safe: well-formed, without media, without secrets, and as the hook wants it. Never throws. */
export function redactText(text: string, attribute: string, config: RedactionConfig): string {
  try {
    let safe = text.toWellFormed();
    if (config.media === "omit" && safe.length >= LONG_BASE64) {
      const stretches = findBase64(safe);
      if (stretches.length > 0) safe = omitInText(safe, stretches);
    }
    if (config.secrets) safe = maskSecrets(safe);
    return config.redact === undefined ? safe : askHook(config.redact, safe, attribute);
  } catch {
    return REDACTION_FAILED;
  }
}

function askHook(
  redact: (text: string, attribute: string) => unknown,
  text: string,
  attribute: string,
): string {
  const answer = redact(text, attribute);
  if (typeof answer === "string") return answer.toWellFormed();
  // An async hook is a mistake that types can't stop; its rejection must not end the process.
  if (answer instanceof Promise) answer.catch(() => {});
  return REDACTION_FAILED;
}
