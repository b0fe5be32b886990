import { createIdTable, type IdTable } from "@thoughtflow/assemble";
import { isOwnSpan, neutralSpan } from "@thoughtflow/dialects/spans";
import type { FlowRecord, SpanRecord } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_SERVICE_INSTANCE_ID,
  ATTR_THOUGHTFLOW_CONTINUES,
  ATTR_THOUGHTFLOW_DEPENDS_ON,
  ATTR_THOUGHTFLOW_MESSAGES,
  ATTR_THOUGHTFLOW_OUTER_SPAN_ID,
  ATTR_THOUGHTFLOW_PROMPT,
  ATTR_THOUGHTFLOW_SEQ,
  ATTR_THOUGHTFLOW_SESSION_STATUS,
  ATTR_THOUGHTFLOW_SESSION_TAGS,
  ATTR_THOUGHTFLOW_STEP_ID,
  ATTR_THOUGHTFLOW_STEP_LABEL,
  EVENT_GEN_AI_EVALUATION_RESULT,
  OPERATION_EXECUTE_TOOL,
  OPERATION_FETCH_RESPONSE,
  SPAN_SESSION,
} from "@thoughtflow/semconv";
import { namesIn, withName } from "./few-names.ts";
import { createOpenings, isThere } from "./history-openings.ts";
import { createTraceRows, type Trace } from "./trace-rows.ts";
import { tracesInStretches } from "./traces-in-stretches.ts";

/** Traces of a session, or slices of them, that are assembled together. */
export interface Stretch {
  readonly pieces: ReadonlySet<string>;
  /** Of earlier stretches: those that hold what its spans name. */
  readonly goesOnFrom: ReadonlySet<string>;
  /** Its last run goes on in the next stretch. */
  readonly isContinued: boolean;
}

/** How the traces of one session follow one another, so that a long one can be assembled stretch by stretch. */
export interface SessionOutline {
  take(record: FlowRecord): void;
  /** What was taken says already that the session can't be taken apart. */
  readonly isWhole: boolean;
  /** In order; `undefined` where the session is short, or can't be taken apart. */
  stretches(): readonly Stretch[] | undefined;
  /** Some calls send what was said before them and don't say which call they go on from. */
  readonly hasHistories: boolean;
  /** The trace, or slice, in which a span says that it runs the tool call. */
  pieceOfCall(callId: string): string | undefined;
  /** The trace, or slice, of a span. */
  pieceOfSpan(spanId: string): string | undefined;
  /** The traces with so many spans and more that may be cut into slices. */
  longTraces(spans: number): readonly string[];
  /**
   * Puts slices in the place of a trace: each may be assembled without the others, in their order.
   *
   * @param records each with the number of its slice; nothing of a slice may have begun before all of an earlier one is over, its root aside
   */
  cut(traceId: string, records: Iterable<readonly [slice: number, record: FlowRecord]>): void;
  /** Whole traces again. */
  uncut(): void;
}

/** Sizes of sessions and of their stretches, in spans. */
export interface OutlineOptions {
  /** Shorter sessions are assembled in one piece. Default `LONG_SESSION_SPANS`. */
  readonly long?: number;
  /** A stretch has so many at least. Default 2,000. */
  readonly stretch?: number | undefined;
  /** Traces of so many are cut into slices. Default 10,000. */
  readonly cut?: number | undefined;
}

export const LONG_SESSION_SPANS = 20_000;

/** A step by the id of its span, in this session and in another. */
const STEP_NAME = /^s_([0-9a-f]{16})$/;
const ELSEWHERE = /^([0-9a-f]{32})\/./;
const TRACE_ID_LENGTH = 32;
/** What a span says of itself that only all of the session can answer. */
const OF_THE_WHOLE = [
  ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID,
  ATTR_THOUGHTFLOW_PROMPT,
  ATTR_THOUGHTFLOW_SESSION_STATUS,
];

/** An outline of nothing yet. What makes a session one piece is listed in the decision on long sessions, with why. */
export function createSessionOutline({
  long = LONG_SESSION_SPANS,
  stretch = 2_000,
}: OutlineOptions = {}): SessionOutline {
  const rows = createTraceRows();
  /** The traces of slices that stand in their places no more, by the numbers of the slices. */
  const uncutTraces = new Map<number, number>();
  /** The numbers of traces; where one is cut, of the slice that was told last. */
  const traces = createIdTable();
  /** The numbers of the traces of spans and of tool calls, and of those that go on from a span of another trace. */
  const traceOf = createIdTable();
  const calls = createIdTable();
  const followers = createIdTable();
  /** What calls go on from that had not come yet. */
  const missing: string[] = [];
  /** Spans that may only be of the trace that names them, and had not come yet. */
  const outerSpans: { readonly trace: Trace; readonly spanId: string }[] = [];
  let spans = 0;
  let isWhole = false;
  let hasMessages = false;
  let hasUnnamedTools = false;
  let hasContinued = false;
  let hasHistories = false;
  /** Its runs must not overlap: what its spans say stands in the order of their times. */
  let isInTime = false;
  const openingOf = createOpenings();

  function traceFor(record: SpanRecord): Trace {
    return traceOfId(record.traceId) ?? begin(record.traceId, record);
  }

  function begin(
    id: string,
    { traceId, startTimeUnixNano, resource, attributes }: SpanRecord,
    { whole, slice = 0 }: Partial<Pick<Trace, "whole" | "slice">> = {},
  ): Trace {
    const trace = rows.begin({
      ...{ id, whole, slice, instance: resource[ATTR_SERVICE_INSTANCE_ID] },
      ...{ first: BigInt(startTimeUnixNano), firstSeq: seqOf(attributes) },
    });
    if (whole === undefined) traces.set(traceId, trace.number);
    return trace;
  }

  function traceOfId(id: string): Trace | undefined {
    return traceAt(traces.get(id));
  }

  function traceAt(number: number | undefined): Trace | undefined {
    return number === undefined ? undefined : rows.at(uncutTraces.get(number) ?? number);
  }

  /** Those that stand, in the order in which they began to be told. */
  function* standing(): Generator<Trace> {
    for (let number = 0; number < rows.count; number++)
      if (!uncutTraces.has(number)) yield rows.at(number);
  }

  /** Notes the trace of an id; whether another one has it, too: which of them is meant takes all of the session to tell. */
  function isTwice(known: IdTable, id: string, trace: Trace): boolean {
    const other = traceAt(known.set(id, trace.number)) ?? trace;
    return other.number !== trace.number && other.number !== trace.whole?.number;
  }

  function addName(trace: Trace, spanId: string): void {
    if (traceOf.get(spanId) !== trace.number) trace.names = withName(trace.names, spanId);
  }

  function takeSpan(record: SpanRecord): void {
    const trace = traceFor(record);
    spans++;
    trace.spans++;
    placeInTime(trace, record);
    const { attributes, spanId, links, events } = record;
    isInTime ||= seqOf(attributes) > 0 || record.name === SPAN_SESSION;
    isInTime ||= attributes[ATTR_THOUGHTFLOW_SESSION_TAGS] !== undefined;
    isWhole ||= isTwice(traceOf, spanId, trace);
    isWhole ||= record.resource[ATTR_SERVICE_INSTANCE_ID] !== trace.instance;
    isWhole ||= isOtherRoot(trace, record);
    isWhole ||= OF_THE_WHOLE.some((name) => isThere(record, name));
    isWhole ||= events.some(({ name }) => name === EVENT_GEN_AI_EVALUATION_RESULT);
    isWhole ||= attributes[ATTR_GEN_AI_OPERATION_NAME] === OPERATION_FETCH_RESPONSE;
    isWhole ||= STEP_NAME.test(String(attributes[ATTR_THOUGHTFLOW_STEP_ID] ?? ""));
    takeCall(trace, record);
    for (const one of listOf(attributes[ATTR_THOUGHTFLOW_DEPENDS_ON])) {
      const [, named] = STEP_NAME.exec(one) ?? [];
      const [, elsewhere] = ELSEWHERE.exec(one) ?? [];
      if (named !== undefined) addName(trace, named);
      else if (elsewhere !== undefined) trace.names = withName(trace.names, elsewhere);
      else isWhole = true;
    }
    for (const link of links) addName(trace, link.spanId);
    const outer = attributes[ATTR_THOUGHTFLOW_OUTER_SPAN_ID];
    if (typeof outer === "string" && traceOf.get(outer) !== trace.number)
      outerSpans.push({ trace, spanId: outer });
  }

  /** A call of a tool or of a model. */
  function takeCall(trace: Trace, record: SpanRecord): void {
    const { attributes } = record;
    const call = attributes[ATTR_GEN_AI_TOOL_CALL_ID];
    const isCall = typeof call === "string" && call !== "";
    if (isCall) isWhole ||= isTwice(calls, call, trace);
    else hasUnnamedTools ||= isTool(record) && !isOwnSpan(record);
    hasMessages ||= MESSAGES.some((name) => isThere(record, name));
    const continued = attributes[ATTR_THOUGHTFLOW_CONTINUES];
    if (typeof continued === "string") {
      if (traceOf.get(continued) !== trace.number) {
        trace.continued = withName(trace.continued, continued);
        isWhole ||= isTwice(followers, continued, trace);
      }
    }
    const opening = openingOf(record);
    if (typeof continued === "string") {
      hasContinued = true;
      if (opening?.isSpoken !== false && traceOf.get(continued) === undefined)
        missing.push(continued);
    } else if (opening === undefined) isWhole = true;
    else {
      hasHistories ||= opening.isSpoken;
      const { key, isSpoken } = opening;
      if (key !== "" && isSpoken) trace.goneOn = withName(trace.goneOn, key);
      else if (key !== "") trace.begun = withName(trace.begun, key);
    }
  }

  /** The trace that a span or trace is named for, where the session has it. */
  function traceNamed(name: string): Trace | undefined {
    return name.length === TRACE_ID_LENGTH ? traceOfId(name) : traceAt(traceOf.get(name));
  }

  /** The traces of others that those of a stretch name. */
  function* othersNamed(own: readonly Trace[], kind: "names" | "continued"): Generator<Trace> {
    for (const { [kind]: names } of own) {
      for (const name of namesIn(names)) {
        const trace = traceNamed(name);
        if (trace !== undefined && !isWithin(trace, own)) yield trace;
      }
    }
  }

  /** Its ids are looked up when it is its turn: of a session of hundreds of thousands of traces they take more than all that is known of it. */
  function stretchOf(numbers: Uint32Array, next: Uint32Array = new Uint32Array(0)): Stretch {
    const whole = traceAt(numbers.at(-1))?.whole;
    return {
      isContinued: whole !== undefined && whole.number === traceAt(next[0])?.whole?.number,
      get pieces() {
        return new Set(Array.from(numbers, (number) => rows.at(number).id));
      },
      get goesOnFrom() {
        const own = tracesOf(numbers);
        const earlier = new Set<string>();
        for (const trace of othersNamed(own, "names")) earlier.add(trace.id);
        // A call that says to go on from a later one begins anew.
        for (const trace of othersNamed(own, "continued"))
          if (isBefore(trace, own)) earlier.add(trace.id);
        return earlier;
      },
    };
  }

  function tracesOf(numbers: Uint32Array): readonly Trace[] {
    return Array.from(numbers, rows.at);
  }

  /** The numbers of those that are assembled, in order. */
  function numbersInOrder(): Uint32Array {
    const numbers = new Uint32Array(rows.count);
    let count = 0;
    for (const { number, isCut } of standing()) if (!isCut) numbers[count++] = number;
    return numbers.subarray(0, count).sort((one, other) => inOrder(rows.at(one), rows.at(other)));
  }

  /** What could only be known in the end. */
  function isSound(): boolean {
    return (
      missing.every((name) => traceOf.get(name) !== undefined) &&
      outerSpans.every(({ trace, spanId }) => (traceNamed(spanId) ?? trace).number === trace.number)
    );
  }

  return {
    take(record) {
      if (record.type === "span_end" || record.type === "span_start") takeSpan(neutralSpan(record));
      else isWhole = true;
    },
    get isWhole() {
      return isWhole || (hasMessages && hasUnnamedTools) || (hasContinued && hasHistories);
    },
    get hasHistories() {
      return hasHistories;
    },
    stretches() {
      if (this.isWhole || spans < long || !isSound()) return undefined;
      const numbers = numbersInOrder();
      const inTurn = { count: numbers.length, at: (place: number) => rows.at(numbers[place] ?? 0) };
      const beginnings = tracesInStretches(inTurn, stretch, !isInTime);
      const groups = beginnings.map((from, at) => numbers.subarray(from, beginnings[at + 1]));
      for (const group of groups) {
        const own = tracesOf(group);
        for (const trace of othersNamed(own, "names")) if (!isBefore(trace, own)) return undefined;
      }
      return groups.map((own, at) => stretchOf(own, groups[at + 1]));
    },
    pieceOfCall: (callId) => traceAt(calls.get(callId))?.id,
    pieceOfSpan: (spanId) => traceAt(traceOf.get(spanId))?.id,
    longTraces(most) {
      // What is told in the order of its times, or sends histories, has to be there as a whole.
      if (isInTime || hasHistories || outerSpans.length > 0) return [];
      const long: string[] = [];
      for (const trace of standing())
        if (trace.whole === undefined && trace.spans >= most) long.push(trace.id);
      return long;
    },
    cut(traceId, records) {
      const whole = traceOfId(traceId);
      if (whole === undefined) throw new RangeError(`no trace ${traceId}`);
      whole.isCut = true;
      const slices: Trace[] = [];
      for (const [slice, record] of records) {
        if (record.type !== "span_end")
          throw new TypeError(`a ${record.type} is no span that has ended`);
        const neutral = neutralSpan(record);
        slices[slice] ??= begin(`${traceId}#${slice}`, neutral, { whole, slice });
        traces.set(traceId, slices[slice].number);
        takeSpan(neutral);
      }
      traces.set(traceId, whole.number);
    },
    uncut() {
      for (const { number, whole, spans: told } of standing()) {
        if (whole === undefined) continue;
        // What was noted by the slice's number is the trace's again.
        uncutTraces.set(number, whole.number);
        whole.isCut = false;
        spans -= told;
        isWhole = false;
      }
    },
  };
}

function placeInTime(trace: Trace, { startTimeUnixNano, attributes }: SpanRecord): void {
  const start = BigInt(startTimeUnixNano);
  if (start < trace.first) trace.first = start;
  if (start > trace.last) trace.last = start;
  const seq = seqOf(attributes);
  if (seq < trace.firstSeq) trace.firstSeq = seq;
  if (seq > trace.lastSeq) trace.lastSeq = seq;
}

function seqOf(attributes: SpanRecord["attributes"]): number {
  const seq = attributes[ATTR_THOUGHTFLOW_SEQ];
  return typeof seq === "number" ? seq : 0;
}

/** Takes note of the root of a trace; whether it has another one. */
function isOtherRoot(trace: Trace, { parentSpanId, parentIsRemote, spanId, name }: SpanRecord) {
  const isBelow = parentSpanId !== undefined && parentSpanId !== spanId && parentIsRemote !== true;
  if (isBelow || name === SPAN_SESSION) return false;
  trace.root ??= spanId;
  return trace.root !== spanId;
}

const MESSAGES = [
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_THOUGHTFLOW_MESSAGES,
];

function isTool({ attributes }: SpanRecord): boolean {
  return (
    attributes[ATTR_GEN_AI_OPERATION_NAME] === OPERATION_EXECUTE_TOOL ||
    attributes[ATTR_THOUGHTFLOW_STEP_LABEL] === "tool_call"
  );
}

/** Whether a trace comes before those of a stretch. */
function isBefore(trace: Trace, [first]: readonly Trace[]): boolean {
  return !trace.isCut && first !== undefined && inOrder(trace, first) < 0;
}

function isWithin(trace: Trace, stretch: readonly Trace[]): boolean {
  const [first, last] = [stretch[0], stretch.at(-1)];
  if (trace.isCut || first === undefined || last === undefined) return false;
  return inOrder(first, trace) <= 0 && inOrder(trace, last) <= 0;
}

function inOrder(a: Trace, b: Trace): number {
  const [one, other] = [a.whole ?? a, b.whole ?? b];
  if (one.number === other.number) return a.slice - b.slice;
  if (one.first !== other.first) return one.first < other.first ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

function listOf(value: unknown): readonly string[] {
  return typeof value === "string" ? [value] : Array.isArray(value) ? value.map(String) : [];
}
