import type { SessionRecord, TombstoneRecord } from "@thoughtflow/schema";

/** An ended span, and the record that says that it is gone. */
const ERASED_BODY_WEIGHT = 3;

/** Grows with every record that says something new; what is erased keeps counting. */
export function revisionOf(
  spans: readonly { readonly weight: number }[],
  sessions: readonly SessionRecord[],
  tombstones: readonly TombstoneRecord[],
): number {
  const told = spans.reduce((sum, { weight }) => sum + weight, 0);
  const bodies = tombstones.filter(({ body }) => body !== undefined).length;
  return told + sessions.length + tombstones.length + bodies * (ERASED_BODY_WEIGHT - 1);
}
