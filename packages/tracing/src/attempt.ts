import { diag } from "@opentelemetry/api";

/**
 * What an action gives, or `undefined` when it throws: a span processor or exporter that fails must not fail the
 * program that is only being watched.
 */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    diag.error("thoughtflow: telemetry failed, the program goes on", error);
    return undefined;
  }
}
