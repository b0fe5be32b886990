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

/**
 * Looks ten times a second until there is something.
 *
 * @throws after ten seconds without it, saying what was waited for.
 */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(100)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`waited ten seconds in vain for: ${what}`);
}
