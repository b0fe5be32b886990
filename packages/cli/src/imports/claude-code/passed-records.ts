import { createPackedSteps, type PackedSteps } from "../packed-steps.ts";
import { createRecordRows, type RecordRows } from "../record-rows.ts";
import type { RecordStep } from "../record-step.ts";
import type { EarlierSession } from "./earlier-session.ts";

/** A record of an earlier session, as later ones may speak of it. */
export interface PassedRecord {
  readonly session: EarlierSession;
  /** Milliseconds since 1970. */
  readonly time: number | undefined;
  /** See `outlineOf`. */
  readonly outline: number;
}

/** The records that were read last, of whatever session: one that is resumed goes on from one of them. */
export interface PassedRecords {
  get(uuid: string): PassedRecord | undefined;
  /** Of several records with one id the first is meant. */
  add(uuid: string, record: PassedRecord): void;
  /** What a record led to. */
  stepOf(uuid: string): RecordStep | undefined;
  /** A record that passed led to it. */
  ledTo(uuid: string, step: RecordStep): void;
  clear(): void;
}

/** The same number in each column is one record. */
interface Half {
  readonly rows: RecordRows;
  readonly sessions: EarlierSession[];
  /** `NaN` where a record tells none. */
  readonly times: number[];
  readonly outlines: number[];
  readonly steps: PackedSteps;
}

/** Two halves, so that forgetting costs nothing: what is touched goes to the young one, and when that is full the old one is dropped whole. */
export function createPassedRecords(limit: number): PassedRecords {
  let young = emptyHalf();
  let old = emptyHalf();
  /** The one that was asked for last, in vain: mostly it is added next. */
  let missed: string | undefined;

  function set(
    uuid: string,
    { session, time = Number.NaN, outline }: PassedRecord,
    step?: RecordStep,
  ): void {
    const row = young.rows.of(uuid);
    young.sessions[row] = session;
    young.times[row] = time;
    young.outlines[row] = outline;
    if (step !== undefined) young.steps.set(row, step);
    if (young.times.length < limit / 2) return;
    old = young;
    young = emptyHalf();
  }

  function get(uuid: string): PassedRecord | undefined {
    const known = foundIn(young, uuid);
    if (known !== undefined) return known;
    const earlier = old.times.length === 0 ? undefined : foundIn(old, uuid);
    if (earlier !== undefined) set(uuid, earlier, stepIn(old, uuid));
    else missed = uuid;
    return earlier;
  }

  return {
    get,
    add(uuid, record) {
      if (uuid === missed || get(uuid) === undefined) set(uuid, record);
      missed = undefined;
    },
    stepOf: (uuid) => stepIn(young, uuid) ?? stepIn(old, uuid),
    ledTo(uuid, step) {
      for (const { rows, steps } of [young, old]) {
        const row = rows.get(uuid);
        if (row !== undefined) return steps.set(row, step);
      }
    },
    clear() {
      young = emptyHalf();
      old = emptyHalf();
      missed = undefined;
    },
  };
}

function emptyHalf(): Half {
  return {
    rows: createRecordRows(),
    sessions: [],
    times: [],
    outlines: [],
    steps: createPackedSteps(),
  };
}

function foundIn(
  { rows, sessions, times, outlines }: Half,
  uuid: string,
): PassedRecord | undefined {
  const row = rows.get(uuid);
  if (row === undefined) return undefined;
  const [session, time = Number.NaN, outline = 0] = [sessions[row], times[row], outlines[row]];
  return session && { session, time: Number.isNaN(time) ? undefined : time, outline };
}

function stepIn({ rows, steps }: Half, uuid: string): RecordStep | undefined {
  const row = rows.get(uuid);
  return row === undefined ? undefined : steps.get(row);
}
