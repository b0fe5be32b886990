import type { Context, SpanContext } from "@opentelemetry/api";
import { context, createContextKey } from "@opentelemetry/api";
import type { Dialect } from "@thoughtflow/dialects";
import { guarded } from "../degradation.ts";
import type { DerivedRun } from "../derived-runs.ts";
import { hasNoSpan } from "../derived-runs.ts";
import { describeError, isUserAbort } from "../error-outcome.ts";
import type { Observer } from "../observer.ts";

/** A tool loop that the SDK itself turns: what its model calls and its tools share. */
export interface ToolLoop {
  readonly observer: Observer;
  /** The root span that stands for the loop; absent where the program has a span around it. */
  readonly run: DerivedRun | undefined;
  /** What the loop began with. */
  readonly items: readonly unknown[];
  /** The model call that was made last. */
  latestCall: SpanContext | undefined;
}

const LOOP = createContextKey("thoughtflow.tool-loop.v1");

/** The loop that makes a model call in this context; none for what the loop's tools do. */
export function toolLoopOf(active: Context): ToolLoop | undefined {
  return active.getValue(LOOP) as ToolLoop | undefined;
}

/** The run that stands for a loop, if it has one of its own that is still open. */
export function openRunOf(loop: ToolLoop | undefined): DerivedRun | undefined {
  return loop?.run?.span.isRecording() ? loop.run : undefined;
}

/** The context of what a loop's tool does: a model call in there is no step of the loop. */
export function outsideOfLoop(inside: Context): Context {
  return inside.deleteValue(LOOP);
}

/**
 * A loop that begins here. Outside of any span it joins the run that waits for its first request, or opens one.
 * `undefined` when that fails.
 *
 * @param dialect how the request is read; absent for an API without a history
 */
export function createToolLoop(
  observer: Observer,
  dialect?: Dialect,
  request?: unknown,
): ToolLoop | undefined {
  let loop: ToolLoop | undefined;
  guarded("starting a tool loop", () => {
    const { runs } = observer;
    const caller = context.active();
    const run =
      runs !== undefined && hasNoSpan(caller)
        ? ((dialect && runs.find(dialect, request)) ?? runs.open(caller))
        : undefined;
    const items = dialect?.inputItems(request) ?? [];
    loop = { observer, run, items, latestCall: undefined };
  });
  return loop;
}

/** How a piece of the SDK's work on a loop ended. */
export interface LoopEnd {
  readonly error?: unknown;
  /** The loop goes on when the program asks for more. */
  readonly isPaused?: boolean;
}

/**
 * Lets the SDK work on a loop: in the loop's context, with its run open until the work ends. The promise that comes
 * back is as unhandled as the SDK's own.
 *
 * @param endOf tells from what came of the work how it ended
 */
export function workOn<T>(
  loop: ToolLoop,
  work: () => Promise<T>,
  endOf: (result: T) => LoopEnd,
): Promise<T> {
  guarded("entering a tool loop", () => enter(loop));
  return context.with(contextOf(loop), work).then(
    (result) => {
      guarded("leaving a tool loop", () => leave(loop, endOf(result)));
      return result;
    },
    (error: unknown) => {
      guarded("leaving a tool loop", () => leave(loop, { error }));
      throw error;
    },
  );
}

function contextOf(loop: ToolLoop): Context {
  const active = context.active();
  const around = loop.run !== undefined && hasNoSpan(active) ? loop.run.context : active;
  return around.setValue(LOOP, loop);
}

function enter(loop: ToolLoop): void {
  const run = openRunOf(loop);
  if (run !== undefined) loop.observer.runs?.enter(run, loop.items);
}

function leave(loop: ToolLoop, { error, isPaused = false }: LoopEnd): void {
  const run = openRunOf(loop);
  if (run === undefined) return;
  const isAborted = error !== undefined && isUserAbort(error);
  loop.observer.runs?.leave(run, {
    endTime: undefined,
    responseId: undefined,
    callIds: isPaused ? [""] : [],
    error: error === undefined || isAborted ? undefined : describeError(error),
    isAborted,
  });
}
