import type { Endpoint } from "./endpoints.ts";
import { isUnknown } from "./unknown-endpoint.ts";

const counts = new Map<string, number>();
const unknown = new Set<string>();

/** A process that makes up paths must not fill the memory. */
const KEPT = 1000;

/** Counts a request that gives no step of its own, or whose endpoint the table does not have. */
export function countRequest(endpoint: Endpoint): void {
  const { route } = endpoint;
  const before = counts.get(route);
  if (before === undefined && counts.size >= KEPT) return;
  counts.set(route, (before ?? 0) + 1);
  if (isUnknown(endpoint)) unknown.add(route);
}

/** How often each endpoint was called that gives no model step: `{ "POST /files": 2, "POST /something/{id}": 1 }`. */
export function requestCounts(): Readonly<Record<string, number>> {
  return Object.fromEntries(counts);
}

/** Those of them that the table does not have: `{ "POST /something/{id}": 1 }`. */
export function unknownRequestCounts(): Readonly<Record<string, number>> {
  return Object.fromEntries([...unknown].map((route) => [route, counts.get(route) ?? 0]));
}
