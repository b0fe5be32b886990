import { createIdTable, erasedBodies } from "@thoughtflow/assemble";
import type { Journal } from "@thoughtflow/journal";
import type { FlowRecord, SpanRecord, TombstoneRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_THOUGHTFLOW_CONTINUES,
  ATTR_THOUGHTFLOW_STEP_LABEL,
  OPERATION_EXECUTE_TOOL,
} from "@thoughtflow/semconv";
import { firstMessageOf, wordsGiven, wordsSaid } from "./history-openings.ts";
import type { SessionOutline } from "./session-outline.ts";

/** Reads the records of traces, or of slices of them. */
export type RecordsOfPieces = (pieces: ReadonlySet<string>) => readonly FlowRecord[];

/** Where the spans of traces are read from. */
export type TraceSource = Pick<Journal, "placesOfTrace" | "recordsOfTraces" | "spansInTurns">;

/** So many spans a slice has at least: a stretch has several, and each is read once more with what goes on from it. */
const SLICE_SPANS = 200;

/**
 * Cuts traces of so many spans and more into slices, where all that has begun is over but the root, so that a run which is too
 * long to be in memory is assembled as a session of many runs is.
 */
export function cutLongTraces(
  outline: SessionOutline,
  source: TraceSource,
  spans: number,
  erasures: readonly TombstoneRecord[] = [],
): RecordsOfPieces {
  const isErased = erasedBodies(erasures) ?? (() => false);
  const cut = new Map<string, SlicedTrace>();
  for (const traceId of outline.longTraces(spans)) {
    const sliced = slicesOf(traceId, source, isErased, Math.min(SLICE_SPANS, spans));
    if (sliced === undefined) continue;
    cut.set(traceId, sliced);
    outline.cut(traceId, sliced.records());
  }
  return (pieces) => {
    const whole: string[] = [];
    const slices = new Map<string, Set<number>>();
    for (const piece of pieces) {
      const [traceId = "", number] = piece.split("#");
      if (number === undefined) whole.push(piece);
      else slices.set(traceId, (slices.get(traceId) ?? new Set()).add(Number(number)));
    }
    const records = whole.length === 0 ? [] : source.recordsOfTraces(whole);
    for (const [traceId, numbers] of slices)
      for (const record of cut.get(traceId)?.recordsOf(numbers) ?? []) records.push(record);
    return records;
  };
}

interface SlicedTrace {
  /** Those of some slices, and the root. */
  recordsOf(slices: ReadonlySet<number>): readonly FlowRecord[];
  /** All that stand, each with the number of its slice. */
  records(): Iterable<readonly [slice: number, record: FlowRecord]>;
}

/** What is known of the spans of a trace, by the order in which they were written. */
interface SpanTimes {
  readonly starts: BigInt64Array;
  readonly ends: BigInt64Array;
  readonly kinds: Uint8Array;
  /** By number, 0 for none: the call that one goes on from; what it is and what it stands in, unless that is the root. */
  readonly continued: Uint32Array;
  /** The words that one begins a conversation with. */
  readonly begun: Uint32Array;
  /** Words that people said, of a span that records them and of a call that is given them. */
  readonly said: ReadonlyMap<number, readonly number[]>;
  readonly own: Uint32Array;
  readonly around: Uint32Array;
  readonly root: number;
}

const [OTHER, CALL, SAID] = [0, 1, 2];

/** Where the spans stand in a file, in the order in which they were written. */
interface PlacesInFile {
  readonly path: string;
  /** Of the first of them, among all of the trace. */
  readonly first: number;
  readonly starts: readonly number[];
}

/** `undefined` where it can't be cut. */
function slicesOf(
  traceId: string,
  source: TraceSource,
  isErased: (record: SpanRecord) => boolean,
  least: number,
): SlicedTrace | undefined {
  const files: PlacesInFile[] = [];
  let count = 0;
  for (const { path, start, isOtlp } of source.placesOfTrace(traceId)) {
    if (isOtlp) return undefined;
    let file = files.at(-1);
    if (file?.path !== path) {
      file = { path, first: count, starts: [] };
      files.push(file);
    }
    (file.starts as number[]).push(start);
    count++;
  }

  let read = 0;

  function* records(): Generator<readonly [at: number, record: FlowRecord]> {
    read = 0;
    for (const spans of source.spansInTurns(new Set([traceId]))) {
      for (const record of spans) {
        const at = read++;
        if (record.type !== "span_end" || !isErased(record)) yield [at, record];
      }
    }
  }

  const times = timesOf(records(), count);
  if (times === undefined || read !== count) return undefined;
  const { slices, count: cuts } = cutAt(times, least);
  if (cuts < 2) return undefined;
  const spansOf: number[][] = Array.from({ length: cuts }, () => []);
  for (const [at, slice] of slices.entries()) spansOf[slice]?.push(at);
  return {
    *records() {
      for (const [at, record] of records()) yield [slices[at] ?? 0, record];
    },
    recordsOf(wanted) {
      const startsIn = new Map<string, Set<number>>();
      for (const at of [times.root, ...[...wanted].flatMap((slice) => spansOf[slice] ?? [])]) {
        const file = files.findLast(({ first }) => first <= at);
        const start = file?.starts[at - file.first];
        if (file === undefined || start === undefined) continue;
        startsIn.set(file.path, (startsIn.get(file.path) ?? new Set()).add(start));
      }
      return source.recordsOfTraces(
        [traceId],
        (_, path, start) => startsIn.get(path)?.has(start) === true,
      );
    },
  };
}

/** `undefined` where there is not one root that is over, or some span has not ended. */
function timesOf(
  records: Iterable<readonly [at: number, record: FlowRecord]>,
  count: number,
): SpanTimes | undefined {
  const starts = new BigInt64Array(count);
  const ends = new BigInt64Array(count);
  const kinds = new Uint8Array(count);
  const continued = new Uint32Array(count);
  const begun = new Uint32Array(count);
  const said = new Map<number, readonly number[]>();
  const own = new Uint32Array(count);
  const around = new Uint32Array(count);
  const [followed, words, spans] = [numbered(), numbered(), numbered()];
  let root = -1;
  for (const [at, record] of records) {
    const { startTimeUnixNano: start, endTimeUnixNano: end } = record as Partial<SpanRecord>;
    if (record.type !== "span_end" || start === undefined || end === undefined || at >= count)
      return undefined;
    starts[at] = BigInt(start);
    ends[at] = BigInt(end);
    if (record.parentSpanId === undefined) {
      // One that is a step, too, stands around those of all slices, and is told with the first.
      const isStep = record.attributes[ATTR_THOUGHTFLOW_STEP_LABEL] !== undefined;
      if (root >= 0 || isStep) return undefined;
      root = at;
    }
    kinds[at] = kindOf(record);
    const before = record.attributes[ATTR_THOUGHTFLOW_CONTINUES];
    if (typeof before === "string") continued[at] = followed(before);
    const first = before === undefined ? firstMessageOf(record) : undefined;
    if (first !== undefined) begun[at] = words(first);
    const given = kinds[at] === SAID ? [wordsSaid(record) ?? ""] : wordsGiven(record);
    if (given.length > 0) said.set(at, given.map(words));
    // Nothing stands in a call.
    if (kinds[at] !== CALL) own[at] = spans(record.spanId);
    if (record.parentSpanId !== undefined) around[at] = spans(record.parentSpanId);
  }
  if (root < 0) return undefined;
  const whole = own[root] ?? 0;
  for (const [at, number] of around.entries()) if (number === whole) around[at] = 0;
  return { starts, ends, kinds, continued, begun, said, own, around, root };
}

/** Numbers for ids, from 1. */
function numbered(): (id: string) => number {
  const numbers = createIdTable();
  let count = 0;
  return (id) => {
    const known = numbers.get(id);
    if (known !== undefined) return known;
    numbers.set(id, ++count);
    return count;
  };
}

function kindOf({ attributes }: SpanRecord): number {
  if (attributes[ATTR_THOUGHTFLOW_STEP_LABEL] === "user_message") return SAID;
  if (attributes[ATTR_THOUGHTFLOW_CONTINUES] === undefined) return OTHER;
  return attributes[ATTR_GEN_AI_OPERATION_NAME] === OPERATION_EXECUTE_TOOL ? OTHER : CALL;
}

/**
 * The slice of each span. The next one begins with a call before which all is over, with nothing before it that one behind it stands in, goes on
 * from the same call as, begins like, or is given.
 */
function cutAt(
  times: SpanTimes,
  least: number,
): { readonly slices: Uint32Array; readonly count: number } {
  const { starts, ends, kinds, continued, begun, own, around, root } = times;
  const start = (at: number): bigint => starts[at] ?? 0n;
  const order = Uint32Array.from(starts.keys()).sort((a, b) =>
    start(a) === start(b) ? a - b : start(a) < start(b) ? -1 : 1,
  );
  const given = callsGiven(order, times);
  const tied = [[continued], [begun], [given], [own, around]].map((one) => placesTied(order, one));
  const slices = new Uint32Array(order.length);
  let [slice, spans, over, before] = [0, 0, 0n, -1n];
  for (const [place, at] of order.entries()) {
    if (at === root) continue;
    const isApart = start(at) > before && start(at) >= over;
    const isTied = tied.some((isAt) => isAt(place));
    if (spans >= least && kinds[at] === CALL && isApart && !isTied) [slice, spans] = [slice + 1, 0];
    slices[at] = slice;
    spans++;
    before = start(at);
    const end = ends[at] ?? 0n;
    if (end > over) over = end;
  }
  return { slices, count: slice + 1 };
}

/** One number for a call and what was said that it is given: it takes that for what it was told. What no call is given has none. */
function callsGiven(order: Uint32Array, { kinds, said }: SpanTimes): Uint32Array {
  const numbers = new Uint32Array(order.length);
  const waiting = new Map<number, number[]>();
  for (const at of order) {
    for (const words of said.get(at) ?? []) {
      const others = waiting.get(words) ?? [];
      if (kinds[at] === SAID) {
        others.push(at);
        waiting.set(words, others);
        continue;
      }
      const message = others.shift();
      if (message !== undefined) numbers[message] = numbers[at] = at + 1;
    }
  }
  return numbers;
}

/** Whether at a place in the order one with a number stands before it that one there or behind it has, too. */
function placesTied(
  order: Uint32Array,
  numbers: readonly Uint32Array[],
): (place: number) => boolean {
  const most = numbers.map((one) => one.reduce((a, b) => Math.max(a, b), 0));
  const first = new Uint32Array(Math.max(...most) + 1);
  const reach = new Uint32Array(order.length);
  for (const [place, at] of order.entries()) {
    for (const { [at]: number = 0 } of numbers) {
      if (number === 0) continue;
      const from = first[number] ?? 0;
      if (from === 0) first[number] = place + 1;
      else reach[from - 1] = place;
    }
  }
  let end = 0;
  for (const place of reach.keys()) {
    // What begins at a place ties those behind it.
    const own = reach[place] ?? 0;
    reach[place] = end;
    end = Math.max(end, own);
  }
  return (place) => (reach[place] ?? 0) >= place && place > 0;
}
