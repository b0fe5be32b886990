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
  /** By row, without gaps: with them it would be a table of many times the size. */
  let values: (T | undefined)[] = [];
  const get = (id: string): T | undefined => {
    const row = rows.get(id);
    return row === undefined ? undefined : values[row];
  };
  return {
    get,
    set(id, value) {
      const row = rows.of(id);
      while (values.length < row) values.push(undefined);
      values[row] = value;
    },
    has: (id) => values.length > 0 && get(id) !== undefined,
    clear() {
      values = [];
    },
  };
}
