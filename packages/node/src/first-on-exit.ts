import { onExit } from "signal-exit";

/**
 * signal-exit, with its signal listeners before the app's. When a signal arrives it counts who else listens, and
 * ends the process if nobody does: behind an app's `once` handler, which is gone when it has run, it would end an
 * app that is just about to close down. An exit code that it sets where the app has set none, 0, is taken back, or the
 * error of an exit handler would no longer be one.
 *
 * @param lastWords Called once, with the signal if it is one that ends the process.
 * @returns takes it back
 */
export function firstOnExit(lastWords: (signal: NodeJS.Signals | null) => void): () => void {
  const earlier = new Set<unknown>(watchedSignals().flatMap((name) => process.listeners(name)));
  const stopWatching = onExit((_code, signal) => lastWords(signal));
  process.prependListener("exit", unsetExitCode);
  for (const name of watchedSignals()) {
    for (const listener of process.listeners(name)) {
      if (earlier.has(listener)) continue;
      process.off(name, listener);
      process.prependListener(name, listener);
    }
  }
  return () => {
    stopWatching();
    process.off("exit", unsetExitCode);
  };
}

function unsetExitCode(code: number): void {
  if (code === 0) process.exitCode = undefined;
}

function watchedSignals(): NodeJS.Signals[] {
  return process.eventNames().filter(isSignal);
}

function isSignal(name: string | symbol): name is NodeJS.Signals {
  return typeof name === "string" && name.startsWith("SIG");
}
