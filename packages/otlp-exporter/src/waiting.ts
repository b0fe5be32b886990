// Not the globals, which a test of the application may have replaced.
import { clearTimeout, setTimeout } from "node:timers";

/** A time that passes, unless nobody waits for it any more. */
export interface Waiting {
  readonly over: Promise<void>;
  cancel(): void;
}

/** Keeps the process alive until it is over. */
export function waiting(milliseconds: number): Waiting {
  let cancel = () => {};
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    cancel = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  return { over, cancel };
}
