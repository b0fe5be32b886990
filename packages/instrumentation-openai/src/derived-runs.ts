// Not the globals, which a test of the application may have replaced.
import { clearTimeout, setTimeout } from "node:timers";
import type { Context, HrTime, Span, Tracer } from "@opentelemetry/api";
import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import type { Dialect } from "@thoughtflow/dialects";
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_THOUGHTFLOW_ORIGIN,
  ATTR_THOUGHTFLOW_RUN_STATUS,
  OPERATION_INVOKE_AGENT,
} from "@thoughtflow/semconv";
import type { ContentCapture } from "@thoughtflow/tracing/internal";
import { capturesAll, spanContentCapture } from "@thoughtflow/tracing/internal";
import type { SessionMatch } from "@thoughtflow/workflow";
import { catchUp } from "./call-order.ts";
import { continuedIds, continuesInput } from "./continuation.ts";
import { guarded } from "./degradation.ts";
import type { ErrorDescription } from "./error-outcome.ts";
import { insideSpan } from "./inside-span.ts";
import { tellWhenRead } from "./late-telling.ts";
import type { SpanSink } from "./options.ts";
import { SESSION_NAMES, type SessionAttributes, sessionAttributes } from "./session-attributes.ts";
import { tellFailure } from "./told-failure.ts";

/** A root span that no program opened: a tool loop, from its first request to the first answer without calls. */
export interface DerivedRun {
  readonly span: Span;
  /** The context its model calls start in. */
  readonly context: Context;
  /** Known once its first call is placed. */
  session: SessionMatch | undefined;
  /** Calls that have not ended. */
  inFlight: number;
  /** The input of its latest call. */
  items: readonly unknown[];
  /** Ids by which the next request would be known to belong here. */
  readonly awaited: Set<string>;
  /** The latest end of a call or tool, which it ends with: by its own clock it may end before them. */
  lastChildEnd: HrTime | undefined;
  idleTimer: NodeJS.Timeout | undefined;
}

/** What the end of a model call says about its run. */
export interface CallEnd {
  readonly endTime: HrTime | undefined;
  readonly responseId: string | undefined;
  /** Not empty while the answer asks for tools; an empty string stands for a legacy call without an id. */
  readonly callIds: readonly string[];
  readonly error: ErrorDescription | undefined;
  /** The caller gave the answer up. */
  readonly isAborted: boolean;
}

/** The roots that were opened for tool loops that no span surrounds. */
export interface DerivedRuns {
  /** The open run that a request goes on with. */
  find(dialect: Dialect, request: unknown): DerivedRun | undefined;
  /** A new run; it counts as open once a call has entered it, so one that is not sampled leaves no trace. */
  open(parent: Context): DerivedRun;
  /** A call of the run has started; `items` is its input. */
  enter(run: DerivedRun, items: readonly unknown[]): void;
  leave(run: DerivedRun, end: CallEnd): void;
  /** Ends those that wait for tool results: nobody looks for them any more. */
  endWaiting(): void;
}

/** How many awaited ids are remembered; the run of a forgotten one ends by its timer. */
const REMEMBERED_IDS = 10_000;

/** The open runs of every instrumentation in the process, and how each is closed. */
const openRuns = new Map<DerivedRun, (run: DerivedRun) => void>();

/**
 * Ends the runs that wait for tool results nobody will send any more, each at the end of its last call: for the
 * end of the process. Runs with a call in flight stay open, as that call does.
 *
 * @param status of a run whose process did not end of its own accord: `error` or `aborted`
 */
export function endOpenRuns(status?: "error" | "aborted"): void {
  for (const [run, close] of [...openRuns]) {
    if (run.inFlight > 0) continue;
    if (status !== undefined) run.span.setAttribute(ATTR_THOUGHTFLOW_RUN_STATUS, status);
    close(run);
  }
}

let isEndAwaited = false;

/** When a program ends by itself, before any listener of its own shuts a provider down: what ends later is sent by none. */
function awaitEnd(): void {
  if (isEndAwaited) return;
  isEndAwaited = true;
  process.prependListener("beforeExit", () => endOpenRuns());
}

/**
 * An account of open roots. `idleMs` is how long one waits for the outputs of the tools that its last answer asked
 * for, milliseconds.
 */
export function createDerivedRuns(
  tracer: Tracer,
  sink: SpanSink,
  idleMs: number,
  captureContent?: ContentCapture,
): DerivedRuns {
  const awaiting = new Map<string, Set<DerivedRun>>();

  function close(run: DerivedRun, error?: ErrorDescription): void {
    if (!openRuns.delete(run)) return;
    stopTimer(run);
    run.items = [];
    for (const id of run.awaited) {
      const runs = awaiting.get(id);
      runs?.delete(run);
      if (runs?.size === 0) awaiting.delete(id);
    }
    if (error !== undefined) {
      tellFailure(run.span, error, capturesAll(captureContent ?? spanContentCapture()));
    }
    // Its session is known when its calls are placed.
    if (run.session === undefined) tellSession(run);
    run.span.end(run.lastChildEnd);
    guarded("handing on the run", () => sink.onEnd(run.span));
  }

  function expect(run: DerivedRun, id: string): void {
    const runs = awaiting.get(id) ?? new Set();
    awaiting.delete(id);
    awaiting.set(id, runs.add(run));
    run.awaited.add(id);
    if (awaiting.size > REMEMBERED_IDS) forgetOldest();
  }

  /** A tenth at once: a map that loses one entry at its front for each new one gets slow. */
  function forgetOldest(): void {
    for (const [id, runs] of awaiting) {
      if (awaiting.size <= 0.9 * REMEMBERED_IDS) return;
      awaiting.delete(id);
      for (const run of runs) run.awaited.delete(id);
    }
  }

  return {
    find(dialect, request) {
      if (awaiting.size === 0) return undefined;
      for (const id of continuedIds(dialect, request)) {
        const runs = [...(awaiting.get(id) ?? [])];
        const [only] = runs;
        if (only !== undefined && runs.length === 1 && isTelling(id)) return only;
        const items = dialect.inputItems(request);
        const run = runs.findLast((one) => continuesInput(one.items, items));
        if (run !== undefined) return run;
      }
      return undefined;
    },

    open(parent) {
      const attributes = {
        [ATTR_GEN_AI_OPERATION_NAME]: OPERATION_INVOKE_AGENT,
        [ATTR_THOUGHTFLOW_ORIGIN]: "derived",
      };
      const span = tracer.startSpan(OPERATION_INVOKE_AGENT, { attributes }, parent);
      guarded("announcing the run", () => sink.onStart(span, parent));
      const run: DerivedRun = {
        span,
        context: insideSpan(parent, span),
        session: undefined,
        inFlight: 0,
        items: [],
        awaited: new Set(),
        lastChildEnd: undefined,
        idleTimer: undefined,
      };
      return run;
    },

    enter(run, items) {
      run.inFlight += 1;
      run.items = items;
      if (run.inFlight === 1) openRuns.set(run, close);
      awaitEnd();
      stopTimer(run);
    },

    leave(run, { endTime, responseId, callIds, error, isAborted }) {
      run.inFlight -= 1;
      run.lastChildEnd = latest(run.lastChildEnd, endTime);
      if (callIds.length > 0) {
        if (responseId !== undefined) expect(run, responseId);
        for (const id of callIds) expect(run, id);
      }
      if (run.inFlight > 0) return;
      if (error !== undefined || callIds.length === 0) {
        if (isAborted) run.span.setAttribute(ATTR_THOUGHTFLOW_RUN_STATUS, "aborted");
        close(run, error);
        return;
      }
      run.idleTimer = setTimeout(() => close(run), idleMs);
      run.idleTimer.unref();
    },

    endWaiting() {
      for (const [run, closeIt] of [...openRuns])
        if (closeIt === close && run.inFlight === 0) close(run);
    },
  };
}

function tellSession(run: DerivedRun): void {
  const isTold = tellWhenRead(run.span, SESSION_NAMES, (name) => {
    catchUp();
    return run.session && sessionAttributes(run.session)[name as keyof SessionAttributes];
  });
  if (!isTold) catchUp();
}

/** A tool of the run has ended. */
export function toolEnded(run: DerivedRun, tool: Span): void {
  run.lastChildEnd = latest(run.lastChildEnd, endTimeOf(tool));
}

/** Of a span as the SDK makes them; `undefined` of others. */
export function endTimeOf(span: Span): HrTime | undefined {
  return (span as { readonly endTime?: HrTime }).endTime;
}

function latest(known: HrTime | undefined, other: HrTime | undefined): HrTime | undefined {
  if (known === undefined || other === undefined) return known ?? other;
  return (other[0] - known[0] || other[1] - known[1]) > 0 ? other : known;
}

function stopTimer(run: DerivedRun): void {
  if (run.idleTimer === undefined) return;
  clearTimeout(run.idleTimer);
  run.idleTimer = undefined;
}

/** Some servers number the calls of each answer from 0: such an id alone tells nothing. */
function isTelling(id: string): boolean {
  return id.length >= 8;
}

/** The context of a call without any span around it. */
export function hasNoSpan(context: Context): boolean {
  return context === ROOT_CONTEXT || trace.getSpan(context) === undefined;
}
