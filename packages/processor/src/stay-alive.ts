// Not the globals, which a test of the application may have replaced.
import { clearInterval, setInterval } from "node:timers";

const A_WHILE_MS = 60_000;

/**
 * Keeps the process alive until a promise that somebody waits for is settled: the threads and timers that it stands for
 * don't, since most of the time nobody waits.
 */
export async function stayAliveFor<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, A_WHILE_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
