import type { FlowRecord } from "@thoughtflow/schema";

/** Where a body stands. */
export interface Place {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export interface RecordPlace extends Place {
  readonly type: FlowRecord["type"];
  readonly traceId: string | undefined;
  readonly sessionId: string | undefined;
  /** Spans as they came over the wire: one record or several. */
  readonly isOtlp: boolean;
}

/**
 * Where the records of one file stand, in the order in which they were written: 28 bytes of memory each, and some 110 for each trace and
 * each session. A receiver's journal has a hundred thousand of them.
 */
export interface RecordPlaces {
  readonly count: number;
  add(place: Omit<RecordPlace, "path">): void;
  all(): Iterable<RecordPlace>;
  /** @param isWanted Asked with where a body starts. Default: all are. */
  ofTrace(traceId: string, isWanted?: (start: number) => boolean): readonly RecordPlace[];
  /** Those that name the session. */
  ofSession(sessionId: string): readonly RecordPlace[];
  /** In the order in which they came up. */
  readonly sessionIds: readonly string[];
}

const TYPES: readonly FlowRecord["type"][] = ["span_start", "span_end", "session", "tombstone"];
const IS_OTLP = 16;

/** Of a row: where it starts and ends, its type; its trace and its session, by number, and for both the row before; 0 is none. */
const [START, END, KIND, TRACE, BEFORE_OF_TRACE, SESSION, BEFORE_OF_SESSION, COLUMNS] = [
  0, 1, 2, 3, 4, 5, 6, 7,
];
const FIRST_ROWS = 16;

/** @param path of the file */
export function createRecordPlaces(path: string): RecordPlaces {
  let rows = new Uint32Array(0);
  let count = 0;
  const traces = createNumberedNames();
  const sessions = createNumberedNames();

  const column = (row: number, number: number): number => rows[(row - 1) * COLUMNS + number] ?? 0;

  /** Rows count from 1. */
  function placeAt(row: number): RecordPlace {
    const kind = column(row, KIND);
    return {
      path,
      type: TYPES[kind % IS_OTLP] ?? "span_end",
      traceId: traces.nameOf(column(row, TRACE)),
      sessionId: sessions.nameOf(column(row, SESSION)),
      isOtlp: kind >= IS_OTLP,
      start: column(row, START),
      end: column(row, END),
    };
  }

  function back(
    last: number,
    before: number,
    isWanted: (start: number) => boolean = () => true,
  ): readonly RecordPlace[] {
    const found: RecordPlace[] = [];
    for (let row = last; row > 0; row = column(row, before))
      if (isWanted(column(row, START))) found.push(placeAt(row));
    return found.reverse();
  }

  return {
    get count() {
      return count;
    },
    add({ start, end, type, traceId, sessionId, isOtlp }) {
      if ((count + 1) * COLUMNS > rows.length) {
        const larger = new Uint32Array(Math.max(FIRST_ROWS * COLUMNS, rows.length * 2));
        larger.set(rows);
        rows = larger;
      }
      const kind = TYPES.indexOf(type) + (isOtlp ? IS_OTLP : 0);
      count += 1;
      const row = [
        start,
        end,
        kind,
        ...traces.stand(traceId, count),
        ...sessions.stand(sessionId, count),
      ];
      rows.set(row, (count - 1) * COLUMNS);
    },
    *all() {
      for (let row = 1; row <= count; row += 1) yield placeAt(row);
    },
    ofTrace: (traceId, isWanted) => back(traces.lastRowOf(traceId), BEFORE_OF_TRACE, isWanted),
    ofSession: (sessionId) => back(sessions.lastRowOf(sessionId), BEFORE_OF_SESSION),
    sessionIds: sessions.names,
  };
}

/** Names by number, from 1, and the last row that each stands in. */
function createNumberedNames() {
  const numbers = new Map<string, number>();
  const names: string[] = [];
  const lastRows: number[] = [];
  return {
    names,
    nameOf: (number: number): string | undefined => names[number - 1],
    lastRowOf: (name: string): number => lastRows[(numbers.get(name) ?? 0) - 1] ?? 0,
    /** Takes note that it stands in a row; answers its number, and the row before. */
    stand(name: string | undefined, row: number): readonly [number: number, before: number] {
      if (name === undefined) return [0, 0];
      let number = numbers.get(name);
      if (number === undefined) {
        number = names.push(name);
        numbers.set(name, number);
      }
      const before = lastRows[number - 1] ?? 0;
      lastRows[number - 1] = row;
      return [number, before];
    },
  };
}
