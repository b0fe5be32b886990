import { isMainThread } from "node:worker_threads";
import { diag } from "@opentelemetry/api";
import { firstOnExit } from "./first-on-exit.ts";

/** Why the process ends; stands in the session record of runs that were still open. */
export type ExitReason = "process_exit" | "signal" | "uncaught_exception";

/** What is to be done before the process ends. */
export interface ExitSteps {
  /**
   * While the event loop still runs, once it has nothing else to do; `undefined` when nothing has to be waited for.
   * Called once, must not reject.
   */
  flush(): Promise<void> | undefined;
  /** The last thing, synchronously. Called once. */
  finish(reason: ExitReason): void;
}

/**
 * On Node 20 signal-exit turns the exit code 13 of a module that waits forever into 0, so it has to go before
 * "exit"; closing its handles is work, for which Node asks `beforeExit` listeners once more.
 */
const SPOILS_EXIT_CODE_13 = Number.parseInt(process.versions.node, 10) < 22;

/** Whether the "exit" listeners are being called; of those that were put before all others only Node itself tells that. */
function isExiting(): boolean {
  return "_exiting" in process && process._exiting === true;
}

/**
 * Has the last word when the process ends: by itself, by `process.exit()`, by an error that nobody caught or by a
 * signal. Exit code, signal and output stay what they would have been. A signal that arrives while the app blocks
 * its only thread waits for it, as with any handler in JavaScript.
 *
 * @returns a function that takes all of it back
 */
export function atProcessEnd(steps: ExitSteps): () => void {
  let reason: ExitReason = "process_exit";
  let isFlushed = false;

  const finish = () => {
    stop();
    try {
      steps.finish(reason);
    } catch (error) {
      // An error here would become the app's exit code.
      diag.error("ThoughtFlow: the last words failed", error);
    }
  };
  const noteError = () => {
    reason = "uncaught_exception";
    if (!isExiting()) return;
    // An "exit" listener of the app threw: none behind it is called any more.
    if (process.exitCode === 0) process.exitCode = undefined;
    finish();
  };
  const flush = () => {
    try {
      flushOrGo();
    } catch (error) {
      diag.error("ThoughtFlow: the process ends before all is written", error);
    }
  };
  const flushOrGo = () => {
    const work = isFlushed ? undefined : steps.flush();
    isFlushed = true;
    if (work !== undefined) {
      // Work makes Node ask again; come back here also when it was none.
      void work.finally(() => setImmediate(() => {}));
      return;
    }
    // Nothing is left to do. What the app registered until now still runs before us.
    if (SPOILS_EXIT_CODE_13) stopWatching();
    process.off("beforeExit", flush);
    process.off("exit", finish);
    process.on("exit", finish);
  };
  // A polite handler of our own would wait for signal-exit's and that one for ours: nobody could end the app.
  const stopWatching = isMainThread
    ? firstOnExit((signal) => {
        if (signal !== null) reason = "signal";
        finish();
      })
    : () => {};
  const stop = () => {
    stopWatching();
    process.off("exit", finish);
    process.off("beforeExit", flush);
    process.off("uncaughtExceptionMonitor", noteError);
  };

  if (!isMainThread) process.on("exit", finish);
  process.on("beforeExit", flush);
  process.on("uncaughtExceptionMonitor", noteError);
  return stop;
}
