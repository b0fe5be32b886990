import type { FlowRecord, SessionRecord, SpanRecord } from "@thoughtflow/schema";
import { ATTR_GEN_AI_OPERATION_NAME, ATTR_SESSION_ID } from "@thoughtflow/semconv";
import { type BadInput, item } from "./bad-input.ts";

const TRACE = "a".repeat(32);

/** Spans of one session "s", as records, in shapes that no tree should have. */
export const badSpans: readonly BadInput<readonly FlowRecord[]>[] = [
  ...item(31, "the root ends first", [span(1, { end: 2 }), span(2, { parent: 1, end: 9 })]),
  ...item(32, "the root comes last", [span(2, { parent: 1 }), span(1)]),
  ...item(33, "no root", [span(2, { parent: 1 }), span(3, { parent: 1 })]),
  ...item(34, "two roots", [span(1), span(2)]),
  ...item(35, "a parent that is missing", [span(1), span(3, { parent: 2 })]),
  ...item(36, "its own parent", [span(1, { parent: 1 })]),
  ...item(37, "parents in a circle", [span(1, { parent: 2 }), span(2, { parent: 1 })]),
  ...item(38, "a long chain", chain(20_000)),
  ...item(
    39,
    "many children",
    Array.from({ length: 20_000 }, (_, n) => span(n + 1, n === 0 ? {} : { parent: 1 })),
  ),
  ...item(40, "ended twice", [span(1), span(1, { end: 9 })]),
  ...item(41, "never ended", [started(1)]),
  ...item(43, "ended before it began", [span(1, { start: 5, end: 2 })]),
  ...item(44, "no time at all", [span(1, { start: 1, end: 1 })]),
  ...item(45, "a month", [span(1, { end: 31 * 86_400 * 1e9 })]),
  ...item(46, "other centuries", [
    span(1, { start: 0, end: 1 }),
    span(2, { start: 4.3e18, end: 4.3e18 }),
  ]),
  ...item(49, "the same twice", [span(1), span(1)]),
  ...item(50, "two of one name", [span(1), { ...span(1), name: "other" }]),
  ...item(
    51,
    "ids of spans",
    ...["0".repeat(16), "ABCDEF0123456789", "abc", "a".repeat(17), ""].map((spanId) => [
      { ...span(1), spanId },
    ]),
  ),
  ...item(
    52,
    "ids of traces",
    ...["0".repeat(32), "abc", "", `0${"a".repeat(31)}`].map((traceId) => [
      { ...span(1), traceId },
    ]),
  ),
  ...item(53, "one trace of two processes", [
    span(1, { instance: "x" }),
    span(2, { parent: 1, instance: "y" }),
  ]),
  ...item(56, "a parent elsewhere", [{ ...span(2, { parent: 1 }), parentIsRemote: true }]),
  ...item(57, "a parent in another trace", [
    span(1),
    { ...span(2, { parent: 1 }), traceId: "b".repeat(32) },
  ]),
  ...item(58, "links to itself and to nobody", [{ ...span(1), links: [link(1), link(99)] }]),
  ...item(59, "many links", [
    { ...span(1), links: Array.from({ length: 2_000 }, (_, n) => link(n)), droppedLinksCount: 72 },
  ]),
  ...item(61, "many events", [
    {
      ...span(1),
      events: Array.from({ length: 2_000 }, (_, n) => ({
        name: "e",
        timeUnixNano: String(n),
        attributes: {},
      })),
    },
  ]),
  ...item(63, "events outside of it", [
    { ...span(1), events: [{ name: "e", timeUnixNano: "0", attributes: {} }] },
  ]),
  ...item(
    66,
    "names",
    ...["", "x".repeat(1_000_000), "a\nb"].map((name) => [{ ...span(1), name }]),
  ),
  ...item(
    126,
    "sub-agents",
    [span(1), started(2, { parent: 1 })],
    [span(1), span(2, { parent: 1 }), span(2, { parent: 1, end: 9 })],
    Array.from({ length: 1_001 }, (_, n) => span(n + 1, n === 0 ? {} : { parent: 1 })),
  ),
  ...item(127, "one session of two programs", [span(1), { ...span(1), traceId: "b".repeat(32) }]),
  ...item<readonly FlowRecord[]>(
    128,
    "ends of a session",
    [decided("9")],
    [span(1), decided("9"), decided("9")],
    [span(1), decided("2"), span(2, { start: 5, end: 6 })],
    [span(1), decided("8"), decided("9", "aborted")],
  ),
];

function decided(
  timeUnixNano: string,
  status: SessionRecord["status"] = "completed",
): SessionRecord {
  return { type: "session", sessionId: "s", status, reason: "idle_timeout", timeUnixNano };
}

function span(
  number: number,
  more: { parent?: number; start?: number; end?: number; instance?: string } = {},
): SpanRecord {
  const { parent, start = 1, end = 3, instance } = more;
  return {
    type: "span_end",
    traceId: TRACE,
    spanId: idOf(number),
    ...(parent !== undefined && { parentSpanId: idOf(parent) }),
    name: "execute_tool look",
    kind: "internal",
    startTimeUnixNano: BigInt(start).toString(),
    endTimeUnixNano: BigInt(end).toString(),
    status: { code: "unset" },
    attributes: { [ATTR_SESSION_ID]: "s", [ATTR_GEN_AI_OPERATION_NAME]: "execute_tool" },
    events: [],
    links: [],
    scope: { name: "test" },
    resource: instance === undefined ? {} : { "service.instance.id": instance },
  };
}

function started(number: number, more: { parent?: number } = {}): SpanRecord {
  const { endTimeUnixNano: _, ...rest } = span(number, more);
  return { ...rest, type: "span_start" };
}

function chain(length: number): readonly SpanRecord[] {
  return Array.from({ length }, (_, n) => span(n + 1, n === 0 ? {} : { parent: n }));
}

function link(number: number): SpanRecord["links"][number] {
  return { traceId: TRACE, spanId: idOf(number), attributes: {} };
}

function idOf(number: number): string {
  return number.toString(16).padStart(16, "0");
}
