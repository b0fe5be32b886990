// Not the globals, which a test of the application may have replaced.
import { clearTimeout, setTimeout } from "node:timers";
import type { SpanContext } from "@opentelemetry/api";
import type { Span } from "@opentelemetry/sdk-trace-node";
import { guard } from "./guard.ts";
import type { SpanPlace } from "./span-place.ts";

/** How many spans were told of; `open` are those that neither ended nor were let go. */
export interface SpanCounts {
  readonly started: number;
  readonly ended: number;
  /** The app let them go without ending them. */
  readonly collected: number;
  readonly open: number;
}

/** A span that has not ended, with its place in things. */
export interface OpenSpan extends SpanPlace {
  /** Held until it is told. */
  span: Span | undefined;
  /** Milliseconds, monotonic. */
  readonly since: number;
  isCollectable: boolean;
  readonly parentSpanId: string | undefined;
  /** A span inside it has ended: whoever reads of that one wants to know of this one. */
  isParent: boolean;
}

/**
 * The spans that have started and not ended: counted, told once they are open for long or a span inside them has ended, held
 * no longer than that.
 */
export interface OpenSpans {
  readonly counts: SpanCounts;
  start(span: Span, place: SpanPlace): OpenSpan;
  /** `around`: those of its trace, by id. */
  end(one: OpenSpan, around: ReadonlyMap<string, OpenSpan>): void;
  /** Those that began less than 100 ms ago, the oldest first. */
  recent(): readonly Span[];
  /**
   * Tells of those that are open for long, and of those in which a span has ended: of a killed process no step is to be read
   * whose run is not.
   */
  tellDue(): void;
  /** Tells at once of all that are open. */
  tellAll(): void;
}

/** The clock, and who hears of spans that take long or were dropped by the program. */
export interface OpenSpansOptions {
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** A span is open for a while, so that it may outlive its process. */
  readonly onLong: (span: Span) => void;
  /** Nobody can end it any more. */
  readonly onCollected: (span: SpanContext) => void;
}

/** A span that is still open after this long is told. */
const LONG_MS = 100;

/** An account of the spans that have started and not ended. */
export function createOpenSpans({ now, onLong, onCollected }: OpenSpansOptions): OpenSpans {
  const counts = { started: 0, ended: 0, collected: 0 };
  /** Those that may have to be told, oldest first; most have ended when their time comes. */
  const untold: OpenSpan[] = [];
  let parents: OpenSpan[] = [];
  const collected = new FinalizationRegistry((context: SpanContext) => {
    counts.collected++;
    guard(() => onCollected(context));
  });
  let timer: NodeJS.Timeout | undefined;

  function tell(longerThanMs: number): void {
    clearTimeout(timer);
    timer = undefined;
    const due = now() - longerThanMs;
    const young = untold.findIndex(({ since }) => since > due);
    const old = untold.splice(0, young === -1 ? untold.length : young);
    if (untold.length > 0) schedule();
    for (const one of old) guard(() => tellOne(one));
  }

  function tellOne(one: OpenSpan): void {
    const { span } = one;
    // From here on nothing holds it but the app.
    one.span = undefined;
    if (span === undefined) return;
    collected.register(span, span.spanContext(), one);
    one.isCollectable = true;
    onLong(span);
  }

  function schedule(): void {
    timer ??= setTimeout(() => tell(LONG_MS), LONG_MS).unref();
  }

  /** What is above a span that was told, or noted, is so, too. */
  function noteParents(spanId: string, around: ReadonlyMap<string, OpenSpan>): void {
    let one = around.get(spanId);
    while (one !== undefined && !one.isParent) {
      one.isParent = true;
      if (one.span !== undefined) parents.push(one);
      one = one.parentSpanId === undefined ? undefined : around.get(one.parentSpanId);
    }
  }

  return {
    get counts() {
      return { ...counts, open: counts.started - counts.ended - counts.collected };
    },
    start(span, { runId, isRoot, rootSpanId }) {
      const one: OpenSpan = {
        ...{ runId, isRoot, rootSpanId, span, since: now() },
        ...{ isCollectable: false, isParent: false },
        parentSpanId: span.parentSpanContext?.spanId,
      };
      counts.started++;
      untold.push(one);
      schedule();
      return one;
    },
    end(one, around) {
      counts.ended++;
      if (one.parentSpanId !== undefined) noteParents(one.parentSpanId, around);
      one.span = undefined;
      if (one.isCollectable) collected.unregister(one);
    },
    tellDue() {
      const open = parents;
      parents = [];
      for (const one of open) guard(() => tellOne(one));
      if (untold.length > 0) tell(LONG_MS);
    },
    recent: () => untold.flatMap(({ span }) => (span === undefined ? [] : [span])),
    tellAll: () => tell(0),
  };
}
