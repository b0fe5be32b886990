import { createIdTable } from "@thoughtflow/assemble";

/** Numbers for the ids of records, from 0: of millions in some 18 bytes of memory each. */
export interface RecordRows {
  /** The record's number; a new one where it has none yet. */
  of(id: string): number;
  /** The same, `undefined` where it has none. */
  get(id: string): number | undefined;
}

export function createRecordRows(): RecordRows {
  const rows = createIdTable();
  let count = 0;
  /** The one that was asked for last, which mostly is asked for again. */
  let latest: string | undefined;
  let latestRow: number | undefined;

  function get(id: string): number | undefined {
    if (id !== latest) {
      latest = id;
      latestRow = rows.get(id);
    }
    return latestRow;
  }

  return {
    get,
    of(id) {
      const known = get(id);
      if (known !== undefined) return known;
      rows.set(id, count);
      latestRow = count++;
      return latestRow;
    },
  };
}
