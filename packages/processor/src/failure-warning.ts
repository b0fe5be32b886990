import { innerFailures, warnAtEnd } from "@thoughtflow/tracing/internal";

let isTold = false;

/** Says at the end of a process, once, that something could not be recorded for reasons of our own. */
export function warnOfFailures(): void {
  const { count, first } = innerFailures;
  if (count === 0 || isTold) return;
  isTold = true;
  let reason = "what can't be told";
  try {
    reason = String(first);
  } catch {
    // It is told that something is missing, at least.
  }
  const text = `${count} times something could not be recorded, the first because of: ${reason}`;
  warnAtEnd("THOUGHTFLOW_FAILED", text);
}
