import type { FlowRecord, SpanRecord } from "@thoughtflow/schema";
import { textsOf } from "@thoughtflow/schema/content-list";
import { isText } from "@thoughtflow/schema/stored-text";
import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_THOUGHTFLOW_CONTINUES,
  ATTR_THOUGHTFLOW_DEPENDS_ON,
  ATTR_THOUGHTFLOW_RUN_ID,
  ATTR_THOUGHTFLOW_SESSION_STATUS,
  ATTR_THOUGHTFLOW_STEP_ID,
  SPAN_SESSION,
} from "@thoughtflow/semconv";
import { createIdTable, type IdTable } from "./id-table.ts";

/** Traces of a session that are assembled together. */
export interface Stretch {
  readonly traces: ReadonlySet<string>;
  /** Of earlier stretches: those that hold what its spans name. */
  readonly goesOnFrom: ReadonlySet<string>;
}

/** How the traces of one session follow one another, so that a long one can be assembled stretch by stretch. */
export interface SessionOutline {
  take(record: FlowRecord): void;
  /** In order; `undefined` where the session is short, or can't be taken apart. */
  stretches(): readonly Stretch[] | undefined;
  hasCall(callId: string): boolean;
}

interface Trace {
  readonly id: string;
  readonly number: number;
  /** Of its first span and of the one that began last, nanoseconds since 1970. */
  first: bigint;
  last: bigint;
  spans: number;
  roots: number;
  /** The spans that its spans name, but for those of which it was known that they are its own. */
  readonly names: Set<string>;
}

/** Sizes of sessions and of their stretches, in spans. */
export interface OutlineOptions {
  /** Shorter sessions are assembled in one piece. Default 20,000. */
  readonly long?: number;
  /** A stretch has so many at least. Default 2,000. */
  readonly stretch?: number;
}

/** A step by the id of its span, in this session and in another. */
const STEP_NAME = /^s_([0-9a-f]{16})$/;
const ELSEWHERE = /^[0-9a-f]{32}\/./;
/** What a span says of itself that stands for the whole session. */
const OF_THE_WHOLE = [
  ATTR_THOUGHTFLOW_RUN_ID,
  ATTR_THOUGHTFLOW_SESSION_STATUS,
  ATTR_THOUGHTFLOW_STEP_ID,
];
const OF_A_USER = '{"role":"user"';

export function createSessionOutline({
  long = 20_000,
  stretch = 2_000,
}: OutlineOptions = {}): SessionOutline {
  const traces = new Map<string, Trace>();
  const all: Trace[] = [];
  /** The numbers of the traces of spans and of tool calls. */
  const traceOf = createIdTable();
  const calls = createIdTable();
  let spans = 0;
  let isWhole = false;

  function traceFor({ traceId, startTimeUnixNano }: SpanRecord): Trace {
    const known = traces.get(traceId);
    if (known !== undefined) return known;
    const start = BigInt(startTimeUnixNano);
    const names = new Set<string>();
    const number = all.length;
    const trace = { id: traceId, number, first: start, last: start, spans: 0, roots: 0, names };
    all.push(trace);
    traces.set(traceId, trace);
    return trace;
  }

  function addName(trace: Trace, spanId: string): void {
    if (traceOf.get(spanId) !== trace.number) trace.names.add(spanId);
  }

  function takeSpan(record: SpanRecord): void {
    const { attributes, spanId, startTimeUnixNano, parentSpanId, name } = record;
    const trace = traceFor(record);
    const start = BigInt(startTimeUnixNano);
    if (start < trace.first) trace.first = start;
    if (start > trace.last) trace.last = start;
    trace.spans++;
    spans++;
    isWhole ||= isTwice(traceOf, spanId, trace);
    if (parentSpanId === undefined && name !== SPAN_SESSION) trace.roots++;
    const continued = attributes[ATTR_THOUGHTFLOW_CONTINUES];
    if (typeof continued === "string") addName(trace, continued);
    const call = attributes[ATTR_GEN_AI_TOOL_CALL_ID];
    if (typeof call === "string") isWhole ||= isTwice(calls, call, trace);
    for (const one of listOf(attributes[ATTR_THOUGHTFLOW_DEPENDS_ON])) {
      const [, named] = STEP_NAME.exec(one) ?? [];
      if (named !== undefined) addName(trace, named);
      else if (!ELSEWHERE.test(one)) isWhole = true;
    }
    isWhole ||= trace.roots > 1 || record.links.length > 0;
    isWhole ||= OF_THE_WHOLE.some((attribute) => attributes[attribute] !== undefined);
    isWhole ||= continued === undefined && !beginsAnew(record);
  }

  return {
    take(record) {
      if (record.type === "span_end" || record.type === "span_start") takeSpan(record);
      else isWhole = true;
    },
    stretches() {
      if (isWhole || spans < long) return undefined;
      const traceAt = (spanId: string): Trace | undefined => all[traceOf.get(spanId) ?? -1];
      return stretchesOf(all.toSorted(inOrder), stretch).map((own) => stretchOf(own, traceAt));
    },
    hasCall: (callId) => calls.get(callId) !== undefined,
  };
}

/** A call that goes on from no other has nothing behind it but what people said: it needs no history to be found. */
function beginsAnew({ content }: SpanRecord): boolean {
  const input = content?.[ATTR_GEN_AI_INPUT_MESSAGES];
  return (
    input === undefined ||
    (!isText(input) && textsOf(input).every((text) => text.startsWith(OF_A_USER)))
  );
}

/** Notes the trace of an id; whether another one has it, too: which of them is meant takes all of the session to tell. */
function isTwice(known: IdTable, id: string, { number }: Trace): boolean {
  const other = known.get(id);
  known.set(id, number);
  return other !== undefined && other !== number;
}

/** Cut where nothing before goes on. */
function stretchesOf(traces: readonly Trace[], least: number): readonly (readonly Trace[])[] {
  const stretches: Trace[][] = [[]];
  let last = 0n;
  let spans = 0;
  for (const trace of traces) {
    if (spans >= least && trace.first > last) {
      stretches.push([]);
      spans = 0;
    }
    stretches.at(-1)?.push(trace);
    spans += trace.spans;
    if (trace.last > last) last = trace.last;
  }
  return stretches;
}

function stretchOf(own: readonly Trace[], traceAt: (spanId: string) => Trace | undefined): Stretch {
  const traces = new Set(own.map(({ id }) => id));
  const goesOnFrom = new Set<string>();
  for (const { names } of own) {
    for (const name of names) {
      const trace = traceAt(name)?.id;
      if (trace !== undefined && !traces.has(trace)) goesOnFrom.add(trace);
    }
  }
  return { traces, goesOnFrom };
}

function inOrder(a: Trace, b: Trace): number {
  if (a.first !== b.first) return a.first < b.first ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : [];
}
