import type { SpanRecord, TombstoneRecord } from "@thoughtflow/schema";
import { digestOfSpan } from "./span-body.ts";
import { createSpanMap } from "./span-map.ts";

/** Whether a body is gone, of which it was said so often that it is, or, every second time, that it is there again. */
export function isErasedAt(turn: number): boolean {
  return turn % 2 === 1;
}

/** Tells of a span's body whether these tombstones erase it; `undefined` where they erase none. */
export function erasedBodies(
  tombstones: readonly TombstoneRecord[],
): ((record: SpanRecord) => boolean) | undefined {
  const said = createSpanMap<Map<string, number>>();
  let isAny = false;
  for (const { traceId, spanId, body, turn = 1 } of tombstones) {
    if (traceId === undefined || spanId === undefined || body === undefined) continue;
    isAny = true;
    const turns = said.get(traceId, spanId) ?? new Map<string, number>();
    said.set(traceId, spanId, turns.set(body, Math.max(turns.get(body) ?? 0, turn)));
  }
  if (!isAny) return undefined;
  return (record) => {
    const turns = said.get(record.traceId, record.spanId);
    return turns !== undefined && isErasedAt(turns.get(digestOfSpan(record)) ?? 0);
  };
}
