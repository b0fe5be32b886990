import { logError } from "./log-error.ts";
import { processState } from "./process-state.ts";

/** What went wrong inside, so that something was not noted. */
export interface InnerFailures {
  count: number;
  /** The first of them. */
  first?: unknown;
}

const failures = processState<InnerFailures>("inner-failures.v1", () => ({ count: 0 }));

/** Of this process, so far. */
export const innerFailures: Readonly<InnerFailures> = failures;

/** Telemetry that fails is one line and a count, never the program's problem. Never throws. */
export function noteFailure(error: unknown): void {
  if (failures.count++ > 0) return;
  failures.first = error;
  logError("thoughtflow: telemetry failed, the program goes on", error);
}
