// Not the globals, which a test of the application may have replaced.
import { clearImmediate, clearTimeout, setImmediate, setTimeout } from "node:timers";
import { type Context, diag, type SpanContext } from "@opentelemetry/api";
import type { ReadableSpan, Span } from "@opentelemetry/sdk-trace-node";
import { type FileSystem, type Journal, openJournal, realFileSystem } from "@thoughtflow/journal";
import type { FlowRecord, SessionRecord, SpanRecord } from "@thoughtflow/schema";
import { ATTR_SESSION_ID } from "@thoughtflow/semconv";
import type { ContentCapture } from "@thoughtflow/tracing";
import { currentRedactor } from "@thoughtflow/tracing";
import { createLiveTraces, type LiveTrace, MAX_PENDING } from "./live-traces.ts";
import { createRecovering } from "./recovering.ts";
import { createSessionWriter } from "./session-writer.ts";
import { spanRecord } from "./span-record.ts";
import { isFlowSpan, stampOnStart, textOf } from "./stamp.ts";
import { warnOnce } from "./warn-once.ts";

export interface FlowWriterOptions {
  readonly dir: string;
  readonly captureContent: ContentCapture;
  readonly sessionId: string | undefined;
  readonly fs?: FileSystem;
}

/** Takes the spans of a process and keeps one flow directory. All its functions are total. */
export interface FlowWriter {
  started(span: Span, parentContext: Context): void;
  ended(span: ReadableSpan): void;
  flush(): Promise<void>;
  flushSync(reason: string): void;
}

/** A span that this writer was told of. */
interface ToldSpan {
  /** Held until its start is written down. */
  span: Span | undefined;
  /** `performance.now()` at its start. */
  readonly since: number;
  hasEnded: boolean;
  isCollectable: boolean;
}

/** A span that is still open after this long is written as started, so that a killed process shows it. */
const START_DELAY_MS = 100;

/** Of spans that end in one tick more are not kept: what comes then waits until they are in the journal. */
const MOST_WAITING = 20_000;

export function createFlowWriter({
  dir,
  captureContent,
  sessionId,
  fs = realFileSystem,
}: FlowWriterOptions): FlowWriter {
  const journal: Journal = openJournal({ dir, onFailure, state: counted, fs });
  const traces = createLiveTraces();
  const sessions = createSessionWriter({
    dir,
    journal,
    now: () => performance.now(),
    onFailure: report,
    fs,
  });
  const recovery = createRecovering({ dir, journal, sessions, onFailure: report });
  const spans = { started: 0, ended: 0, collected: 0 };
  /** Of spans that were told as started and that the app let go without ending them. */
  const collected = new FinalizationRegistry(lost);
  /** Several processors may tell of the same span. */
  const told = new WeakMap<object, ToldSpan>();
  /** Those whose start may have to be written down, oldest first. */
  const unwritten = new Set<ToldSpan>();
  let ended: ReadableSpan[] = [];
  let draining: NodeJS.Immediate | undefined;
  let starting: NodeJS.Timeout | undefined;
  let isEnding = false;

  function counted(): Readonly<Record<string, unknown>> {
    const open = spans.started - spans.ended - spans.collected;
    return { ...sessions.counters, spans: { ...spans, open } };
  }

  function report(problem: unknown, what: string): void {
    guard(() => {
      warnOnce(dir, problem, isEnding);
      diag.error(`ThoughtFlow could not write ${what}`, problem);
    });
  }

  function onFailure(code: string): void {
    report(code, "its journal");
  }

  function append(record: FlowRecord, session: string): void {
    sessions.recorded(session, journal.append(record));
  }

  function keep(record: SpanRecord, trace: LiveTrace): void {
    const own = record.attributes[ATTR_SESSION_ID];
    if (typeof own === "string" && own !== "") trace.sessionId ??= own;
    const session =
      typeof own === "string" && own !== "" ? own : (trace.sessionId ?? `s_${trace.traceId}`);
    if (!trace.sessions.includes(session)) trace.sessions.push(session);
    append(record, session);
  }

  function take(span: ReadableSpan, type: SpanRecord["type"]): void {
    const trace = traces.getOrCreate(span.spanContext().traceId);
    const record = spanRecord(span, type, { captureContent, redactor: currentRedactor() });
    trace.isFlow ||= isFlowSpan(span);
    if (trace.isFlow) {
      const { pending } = trace;
      trace.pending = [];
      for (const earlier of pending) keep(earlier, trace);
      keep(record, trace);
    } else if (type === "span_end" && trace.pending.length < MAX_PENDING) {
      trace.pending.push(record);
    }
  }

  function drain(): void {
    clearImmediate(draining);
    draining = undefined;
    const taken = ended;
    ended = [];
    for (const span of taken) guard(() => take(span, "span_end"));
    for (const traceId of new Set(taken.map((span) => span.spanContext().traceId))) settle(traceId);
  }

  /** After spans of a trace ended: tell its sessions when no run is open, forget what is no flow. */
  function settle(traceId: string): void {
    const trace = traces.get(traceId);
    if (trace === undefined || trace.openRoots > 0) return;
    for (const session of trace.sessions) sessions.runEnded(session);
    if (!trace.isFlow && trace.open.size === 0) traces.delete(traceId);
  }

  /** Writes down what has been open for a while. */
  function writeStarts(atLeast: number): void {
    clearTimeout(starting);
    starting = undefined;
    const due = performance.now() - atLeast;
    for (const one of unwritten) {
      if (one.since > due) {
        scheduleStarts();
        break;
      }
      unwritten.delete(one);
      const { span } = one;
      if (span === undefined) continue;
      guard(() => take(span, "span_start"));
      // From here on nothing holds it but the app.
      one.span = undefined;
      one.isCollectable = true;
      collected.register(span, span.spanContext(), one);
    }
  }

  /** Nobody can end it any more. */
  function lost({ traceId, spanId }: SpanContext): void {
    spans.collected++;
    const trace = traces.get(traceId);
    if (trace === undefined) return;
    const isRoot = close(trace, spanId);
    if (isRoot) guard(() => closeRun(trace, spanId, "abandoned", "never_ended"));
    settle(traceId);
  }

  /** @returns whether it was a root that was open */
  function close(trace: LiveTrace, spanId: string): boolean {
    const isRoot = trace.open.get(spanId)?.isRoot === true;
    trace.open.delete(spanId);
    if (isRoot) trace.openRoots--;
    return isRoot;
  }

  function scheduleStarts(): void {
    starting ??= setTimeout(() => writeStarts(START_DELAY_MS), START_DELAY_MS).unref();
  }

  return {
    started(span, parentContext) {
      guard(() => {
        if (told.has(span)) return;
        const one = { span, since: performance.now(), hasEnded: false, isCollectable: false };
        told.set(span, one);
        spans.started++;
        const { traceId, spanId } = span.spanContext();
        const trace = traces.getOrCreate(traceId);
        const opened = stampOnStart(span, parentContext, trace, sessionId);
        trace.open.set(spanId, opened);
        if (opened.isRoot) trace.openRoots++;
        unwritten.add(one);
        scheduleStarts();
      });
    },
    ended(span) {
      guard(() => {
        const one = told.get(span);
        if (one?.hasEnded) return;
        if (one === undefined) {
          told.set(span, { span: undefined, since: 0, hasEnded: true, isCollectable: false });
        } else {
          one.hasEnded = true;
          spans.ended++;
          unwritten.delete(one);
          if (one.isCollectable) collected.unregister(one);
        }
        const { traceId, spanId } = span.spanContext();
        const trace = traces.getOrCreate(traceId);
        close(trace, spanId);
        trace.sessionId ??= textOf(span, ATTR_SESSION_ID);
        ended.push(span);
        draining ??= setImmediate(drain);
        if (ended.length >= MOST_WAITING) drain();
      });
    },
    async flush() {
      drain();
      await journal.flush();
      await sessions.flush();
    },
    flushSync(reason) {
      guard(() => {
        isEnding = true;
        drain();
        writeStarts(0);
        for (const trace of traces.values()) closeRuns(trace, reason);
        journal.flushSync();
        sessions.flushSync();
        recovery.finishSync();
        journal.flushSync();
        if (sessions.isSettled) journal.settleSync();
      });
    },
  };

  /** The process ends with these runs open; why is only known now. */
  function closeRuns(trace: LiveTrace, reason: string): void {
    const status = reason === "uncaught_exception" ? "error" : "aborted";
    for (const [spanId, { isRoot }] of trace.open) {
      if (isRoot) closeRun(trace, spanId, status, reason);
    }
  }

  function closeRun(
    { isFlow, traceId, sessionId: known }: LiveTrace,
    root: string,
    status: SessionRecord["status"],
    reason: string,
  ): void {
    if (!isFlow) return;
    const session = known ?? `s_${traceId}`;
    const runKey = `${traceId}/${root}`;
    const timeUnixNano = `${Date.now()}000000`;
    append({ type: "session", sessionId: session, runKey, status, reason, timeUnixNano }, session);
  }
}

let failures = 0;

/** Telemetry that fails is one line and a count, never the app's problem. */
function guard(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (failures++ === 0) tell(error);
  }
}

/** The logger is the app's, and may fail itself. */
function tell(error: unknown): void {
  try {
    diag.error("ThoughtFlow failed; the app goes on", error);
  } catch {
    // There is nobody left to tell.
  }
}
