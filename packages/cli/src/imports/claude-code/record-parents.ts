import { createWordRows } from "@thoughtflow/assemble";
import type { RecordRows } from "../record-rows.ts";
import type { TranscriptLine } from "./records.ts";

/** Which records of a session follow which, as they say themselves, to tell of what can't be. */
export interface RecordParents {
  /**
   * Of several records with one id the first is the one that others follow.
   *
   * @param isElsewhere Whether another session has a record.
   */
  add(
    line: Pick<TranscriptLine, "uuid" | "parentUuid">,
    isElsewhere: (uuid: string) => boolean,
  ): void;
  broken(): BrokenParents;
}

export interface BrokenParents {
  /** How many records follow one that is nowhere. */
  readonly dangling: number;
  /** How many circles of records that follow each other, or themselves, there are. */
  readonly circles: number;
}

/** Instead of a row: nothing is known of the record, or it follows none. */
const ABSENT = -2;
const NONE = -1;

/** @param rows Numbers for the records, which other tables of the same records may share. */
export function createRecordParents(rows: RecordRows): RecordParents {
  /** By row: what it follows, less `ABSENT`. */
  const parents = createWordRows(1);
  /** Those that had not come when a record followed them; mostly none, as what is written follows what was. */
  const awaited: number[] = [];

  const parentOf = (row: number): number => parents.get(row, 0) + ABSENT;

  /** What was looked through is not looked through again: there may be as many as there are records. */
  function leadsIntoCircle(start: number, passed: Map<number, number>): boolean {
    if (passed.has(start)) return false;
    let row = start;
    for (; row >= 0 && !passed.has(row); row = parentOf(row)) passed.set(row, start);
    return row >= 0 && passed.get(row) === start;
  }

  return {
    add({ uuid, parentUuid }, isElsewhere) {
      const parent = parentUuid === undefined ? NONE : rows.of(parentUuid);
      if (parentUuid !== undefined && parentOf(parent) === ABSENT && !isElsewhere(parentUuid))
        awaited.push(parent);
      if (uuid === undefined) return;
      const row = rows.of(uuid);
      if (parentOf(row) === ABSENT) parents.set(row, 0, parent - ABSENT);
    },
    broken() {
      const passed = new Map<number, number>();
      const missing = awaited.filter((row) => parentOf(row) === ABSENT);
      const circles = awaited.filter((row) => leadsIntoCircle(row, passed));
      return { dangling: missing.length, circles: circles.length };
    },
  };
}
