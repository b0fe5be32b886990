import { setTimeout as sleep } from "node:timers/promises";

/** The parsed answer, undefined while nothing listens or nothing is found. */
export async function getJson(url: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const response = await fetch(url);
    return response.ok ? ((await response.json()) as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether something answers there with a 2xx. */
export async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/** For what happens soon, on however slow a machine. */
const PATIENCE_MS = 60_000;

/**
 * Looks ten times a second until there is something.
 *
 * @throws after a minute without it, saying what was waited for.
 */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(100)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`waited a minute in vain for: ${what}`);
}
