import { diag } from "@opentelemetry/api";

/** Tells the program's logger of OpenTelemetry, which may fail itself. Never throws. */
export function logError(message: string, error: unknown): void {
  try {
    diag.error(message, error);
  } catch {
    // There is nobody left to tell.
  }
}
