import { noteFailure } from "@thoughtflow/tracing/internal";

/** Does something that fails on its own, never the app. */
export function guard(work: () => void): void {
  try {
    work();
  } catch (error) {
    noteFailure(error);
  }
}
