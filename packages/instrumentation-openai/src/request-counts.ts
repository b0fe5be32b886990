const counts = new Map<string, number>();

/** A process that makes up paths must not fill the memory. */
const KEPT = 1000;

/** Counts a request that gives no step of its own, or whose endpoint the table does not have. */
export function countRequest(route: string): void {
  const before = counts.get(route);
  if (before !== undefined || counts.size < KEPT) counts.set(route, (before ?? 0) + 1);
}

/** How often each endpoint was called that gives no model step: `{ "POST /files": 2, "POST /something/{id}": 1 }`. */
export function requestCounts(): Readonly<Record<string, number>> {
  return Object.fromEntries(counts);
}
