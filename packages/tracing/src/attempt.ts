import { noteFailure } from "./inner-failures.ts";

/**
 * What an action gives, or `undefined` when it throws: a span processor or exporter that fails must not fail the
 * program that is only being watched.
 */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    noteFailure(error);
    return undefined;
  }
}
