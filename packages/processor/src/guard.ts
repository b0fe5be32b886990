import { diag } from "@opentelemetry/api";

let failures = 0;

/** Telemetry that fails is one line and a count, never the app's problem. */
export function guard(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (failures++ === 0) tell(error);
  }
}

/** The logger is the app's, and may fail itself. */
function tell(error: unknown): void {
  try {
    diag.error("ThoughtFlow failed; the app goes on", error);
  } catch {
    // There is nobody left to tell.
  }
}
