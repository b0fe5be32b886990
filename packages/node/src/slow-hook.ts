// Not the global, which a test of the application may have replaced.
import { performance } from "node:perf_hooks";
import type { RedactHook } from "./options.ts";
import { warn } from "./warn.ts";

/** Longer than this holds up the app's event loop. */
const SLOW_MS = 100;

/** The same hook; that it took long is told, once: what is synchronous can't be interrupted. */
export function toldWhenSlow(redact: RedactHook): RedactHook {
  let isTold = false;
  return (text, attribute) => {
    if (isTold) return redact(text, attribute);
    const begun = performance.now();
    try {
      return redact(text, attribute);
    } finally {
      const took = performance.now() - begun;
      if (took > SLOW_MS) {
        isTold = true;
        warn(
          "THOUGHTFLOW_SLOW_REDACT",
          `The redact hook took ${Math.round(took)} ms for ${text.length} characters of ${attribute}; the app waits for it.`,
        );
      }
    }
  };
}
