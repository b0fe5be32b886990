import { createPackedSteps } from "../packed-steps.ts";
import type { RecordRows } from "../record-rows.ts";
import type { RecordStep } from "../record-step.ts";

/** What records led to, by their ids. */
export interface StepsOfRecords {
  get(uuid: string): RecordStep | undefined;
  set(uuid: string, step: RecordStep): void;
}

/** @param rows Numbers for the records, which other tables of the same records share. */
export function createStepsOfRecords(rows: RecordRows): StepsOfRecords {
  const steps = createPackedSteps();
  return {
    get(uuid) {
      const row = rows.get(uuid);
      return row === undefined ? undefined : steps.get(row);
    },
    set: (uuid, step) => steps.set(rows.of(uuid), step),
  };
}
