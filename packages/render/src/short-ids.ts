import type { Session } from "@thoughtflow/schema";

const hexRun = /[0-9a-f]{16,}/g;

/** Whether somebody chose an id, or it was made at random or of what it stands for. */
export function isChosenId(id: string): boolean {
  return id.search(hexRun) < 0;
}

/**
 * A shortener for the step ids of a session: long runs of hex digits keep their first 4 (6, 8, 12) characters
 * where that still tells all ids of the session apart, as Git does with its hashes.
 */
export function idShortener(session: Session): (id: string) => string {
  const ids = new Set(
    session.conversations.flatMap((run) => run.steps.map((step) => step.step_id)),
  );
  for (const length of [4, 6, 8, 12]) {
    const shorten = (id: string): string => id.replace(hexRun, (hex) => hex.slice(0, length));
    if (new Set([...ids].map(shorten)).size === ids.size) return shorten;
  }
  return (id) => id;
}
