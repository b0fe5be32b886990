import { digestOfSpan } from "@thoughtflow/assemble";
import { isSpan } from "@thoughtflow/dialects/spans";
import type { FlowRecord } from "@thoughtflow/schema";
import { createDigestTable } from "./digest-table.ts";
import { keyOf } from "./known-session.ts";
import { isCall } from "./rival-tellings.ts";

/** What was told of files while they grew: it gives way to what they tell in the end. */
export interface PassingRecords {
  /** Nothing was told, or all of it is to stay. */
  readonly isEmpty: boolean;
  take(record: FlowRecord): void;
  /** Whether a span was told with this body. */
  has(body: string): boolean;
  hasCall(traceId: string, spanId: string): boolean;
  /** What was told so far stays, as after a file was replaced. */
  clear(): void;
}

export function createPassingRecords(): PassingRecords {
  let bodies = createDigestTable();
  const calls = new Set<string>();
  return {
    get isEmpty() {
      return bodies.count === 0;
    },
    take(record) {
      if (!isSpan(record)) return;
      bodies.set(digestOfSpan(record), false);
      if (isCall(record)) calls.add(keyOf(record));
    },
    has: (body) => bodies.isTold(body) !== undefined,
    hasCall: (traceId, spanId) => calls.has(keyOf({ traceId, spanId })),
    clear() {
      bodies = createDigestTable();
      calls.clear();
    },
  };
}
