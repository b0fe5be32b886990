import { createRecordRows, type RecordRows } from "./record-rows.ts";

/** What is known of records by their ids, in the little memory that numbers take. */
export interface RecordMap<T> {
  get(id: string): T | undefined;
  set(id: string, value: T): void;
  has(id: string): boolean;
  clear(): void;
}

/** @param rows Maps of the same records share them. */
export function createRecordMap<T>(rows: RecordRows = createRecordRows()): RecordMap<T> {
  const values = new Map<number, T>();
  const get = (id: string): T | undefined => {
    const row = rows.get(id);
    return row === undefined ? undefined : values.get(row);
  };
  return {
    get,
    set: (id, value) => void values.set(rows.of(id), value),
    has: (id) => get(id) !== undefined,
    clear: () => values.clear(),
  };
}
