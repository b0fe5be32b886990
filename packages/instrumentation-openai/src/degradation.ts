import { diag } from "@opentelemetry/api";

const counts = new Map<string, number>();

/**
 * Runs our own code beside the app's. When it fails, the app goes on untouched: the failure is counted, and
 * told to `diag` the first time it happens at this place.
 */
export function guarded(place: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    noteFailure(place, error);
  }
}

/** What `guarded` does with a failure, for places that are too hot for a closure. */
export function noteFailure(place: string, error: unknown): void {
  if (count(place)) diag.error(`thoughtflow: ${place} failed, the call itself did not`, error);
}

/** Counts something that could not be observed, and warns the process once about it. */
export function warnUnobserved(code: string, message: string): void {
  if (!count(code)) return;
  process.emitWarning(message, { type: "ThoughtFlowWarning", code });
}

/** How often each thing went wrong that the application was shielded from, by place or warning code. */
export function degradations(): Readonly<Record<string, number>> {
  return Object.fromEntries(counts);
}

/** True the first time. */
function count(place: string): boolean {
  const before = counts.get(place) ?? 0;
  counts.set(place, before + 1);
  return before === 0;
}
