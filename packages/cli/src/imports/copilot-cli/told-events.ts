import { createRecordRows } from "../record-rows.ts";
import type { CopilotEvent } from "./records.ts";

/**
 * Tells whether an event was told before: in another file that has what this one has, or in a file that was written behind itself. One of
 * the same id that is of another kind or time is another one.
 */
export function createToldEvents(): (event: CopilotEvent) => boolean {
  const rows = createRecordRows();
  return ({ id, type, ms }) => {
    if (id === undefined) return false;
    const key = JSON.stringify([id, type, ms]);
    const isTold = rows.get(key) !== undefined;
    rows.of(key);
    return isTold;
  };
}
