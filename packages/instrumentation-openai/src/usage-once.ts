import type { Attributes } from "@opentelemetry/api";
import { earlierResponse } from "@thoughtflow/tracing/internal";

/** Ids of responses whose tokens stand on a span of this process already. */
const reported = new Set<string>();

const REMEMBERED = 10_000;

const USAGE = "gen_ai.usage.";

/**
 * Attributes of an answer without its usage, where an earlier span, of this process or another, told it: an answer that is fetched
 * again must not be paid twice.
 *
 * @param isFetch of an answer that was asked for earlier; the call itself always tells what it used
 */
export function withUsageOnce(attributes: Attributes, id: string, isFetch: boolean): Attributes {
  const names = Object.keys(attributes).filter((name) => name.startsWith(USAGE));
  if (names.length === 0) return attributes;
  if (isFetch && (reported.has(id) || earlierResponse(id)?.isCounted)) {
    return Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)));
  }
  reported.add(id);
  if (reported.size > REMEMBERED) forgetOldest();
  return attributes;
}

/** A tenth at once: a set that loses one entry at its front for each new one gets slow. */
function forgetOldest(): void {
  for (const id of reported) {
    if (reported.size <= 0.9 * REMEMBERED) return;
    reported.delete(id);
  }
}
