import type { Context, Span, TimeInput, Tracer } from "@opentelemetry/api";
import { ROOT_CONTEXT, SpanStatusCode, trace } from "@opentelemetry/api";
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_THOUGHTFLOW_ORIGIN,
  ATTR_THOUGHTFLOW_RUN_STATUS,
  OPERATION_INVOKE_AGENT,
} from "@thoughtflow/semconv";
import type { SessionMatch } from "@thoughtflow/workflow";
import { guarded } from "./degradation.ts";
import type { ErrorDescription } from "./error-outcome.ts";
import type { SpanSink } from "./options.ts";

/** A root span that no program opened: a tool loop, from its first request to the first answer without calls. */
export interface DerivedRun {
  readonly span: Span;
  /** The context its model calls start in. */
  readonly context: Context;
  /** Known once its first call is placed. */
  session: SessionMatch | undefined;
  /** Calls that have not ended. */
  inFlight: number;
  /** Ids by which the next request would be known to belong here. */
  readonly awaited: Set<string>;
  lastChildEnd: TimeInput | undefined;
  idleTimer: NodeJS.Timeout | undefined;
}

/** What the end of a model call says about its run. */
export interface CallEnd {
  readonly endTime: TimeInput | undefined;
  readonly responseId: string | undefined;
  /** Not empty while the answer asks for tools; an empty string stands for a call without an id. */
  readonly callIds: readonly string[];
  readonly error: ErrorDescription | undefined;
  /** The caller gave the answer up. */
  readonly isAborted: boolean;
}

export interface DerivedRuns {
  /** The open run that one of these ids belongs to. */
  find(ids: () => readonly string[]): DerivedRun | undefined;
  /** A new run; it counts as open once a call has entered it, so one that is not sampled leaves no trace. */
  open(parent: Context): DerivedRun;
  enter(run: DerivedRun): void;
  leave(run: DerivedRun, end: CallEnd): void;
}

/** How many awaited ids are remembered; the run of a forgotten one ends by its timer. */
const REMEMBERED_IDS = 10_000;

/** The open runs of every instrumentation in the process, and how each is closed. */
const openRuns = new Map<DerivedRun, () => void>();

/**
 * Ends the runs that wait for tool results nobody will send any more, each at the end of its last call: for the
 * end of the process. Runs with a call in flight stay open, as that call does.
 */
export function endOpenRuns(): void {
  for (const [run, close] of [...openRuns]) if (run.inFlight === 0) close();
}

export function createDerivedRuns(
  tracer: Tracer,
  sink: SpanSink | undefined,
  idleMs: number,
): DerivedRuns {
  const awaiting = new Map<string, DerivedRun>();

  function close(run: DerivedRun, error?: ErrorDescription): void {
    if (!openRuns.delete(run)) return;
    clearTimeout(run.idleTimer);
    for (const id of run.awaited) if (awaiting.get(id) === run) awaiting.delete(id);
    if (error !== undefined) {
      run.span.setAttributes(error.attributes);
      run.span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
    }
    run.span.end(run.lastChildEnd);
    guarded("handing on the run", () => sink?.onEnd(run.span));
  }

  function expect(run: DerivedRun, id: string): void {
    awaiting.delete(id);
    awaiting.set(id, run);
    run.awaited.add(id);
    if (awaiting.size <= REMEMBERED_IDS) return;
    for (const oldest of awaiting.keys()) {
      awaiting.get(oldest)?.awaited.delete(oldest);
      awaiting.delete(oldest);
      return;
    }
  }

  return {
    find(ids) {
      if (awaiting.size === 0) return undefined;
      for (const id of ids()) {
        const run = awaiting.get(id);
        if (run !== undefined) return run;
      }
      return undefined;
    },

    open(parent) {
      const attributes = {
        [ATTR_GEN_AI_OPERATION_NAME]: OPERATION_INVOKE_AGENT,
        [ATTR_THOUGHTFLOW_ORIGIN]: "derived",
      };
      const span = tracer.startSpan(OPERATION_INVOKE_AGENT, { attributes, root: true }, parent);
      guarded("announcing the run", () => sink?.onStart(span, parent));
      const run: DerivedRun = {
        span,
        context: trace.setSpan(parent, span),
        session: undefined,
        inFlight: 0,
        awaited: new Set(),
        lastChildEnd: undefined,
        idleTimer: undefined,
      };
      return run;
    },

    enter(run) {
      run.inFlight += 1;
      openRuns.set(run, () => close(run));
      clearTimeout(run.idleTimer);
    },

    leave(run, { endTime, responseId, callIds, error, isAborted }) {
      run.inFlight -= 1;
      run.lastChildEnd = endTime ?? run.lastChildEnd;
      if (callIds.length > 0) {
        if (responseId !== undefined) expect(run, responseId);
        for (const id of callIds) if (id !== "") expect(run, id);
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
  };
}

/** The context of a call without any span around it. */
export function hasNoSpan(context: Context): boolean {
  return context === ROOT_CONTEXT || trace.getSpan(context) === undefined;
}
