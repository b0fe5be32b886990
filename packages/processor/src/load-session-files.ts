import { createRequire } from "node:module";
import { MissingCodeError } from "./missing-code-error.ts";
import type * as SessionFiles from "./session-files.ts";

/**
 * What makes documents is loaded when the first is written and not before: an app's first answer must not wait for
 * it. At the end of a process there is no time for a promise.
 */
export function loadSessionFiles(): typeof SessionFiles {
  try {
    return createRequire(import.meta.url)("#session-files");
  } catch (cause) {
    throw isMissing(cause) ? new MissingCodeError(cause) : cause;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && `${error.code}`.endsWith("MODULE_NOT_FOUND");
}
