import { ATTR_GEN_AI_OPERATION_NAME, ATTR_SESSION_ID } from "@thoughtflow/semconv";
import { type BadInput, item } from "./bad-input.ts";

/** A span as a program sees it that does not look at types. */
interface AnySpan {
  end(time?: unknown): void;
  setStatus(status: unknown): unknown;
  addEvent(name: unknown, attributes?: unknown, time?: unknown): unknown;
  updateName(name: unknown): unknown;
  spanContext(): object;
}

/** What a program has at hand that does as it likes with a tracer. */
export interface AnyTracing {
  startSpan(
    name: unknown,
    options?: { readonly attributes?: object; readonly [name: string]: unknown },
    parent?: AnySpan,
  ): AnySpan;
  shutdown(): Promise<void>;
  /** Runs something in a context in which nothing is traced. */
  suppressed(work: () => void): void;
}

/** What programs do with a tracer; each in a provider of its own. */
export const badPrograms: readonly BadInput<(tracing: AnyTracing) => void | Promise<void>>[] = [
  ...item(42, "a span that ends after its provider", async (tracing: AnyTracing) => {
    const span = tracing.startSpan("late");
    await tracing.shutdown();
    span.end();
  }),
  ...item(47, "nanoseconds where milliseconds belong", ({ startSpan }: AnyTracing) => {
    startSpan("ns", { startTime: 1_795_183_471_281_000_000 }).end(1_795_183_471_282_000_000);
  }),
  ...item(48, "a time since the start of the process", ({ startSpan }: AnyTracing) => {
    startSpan("performance", { startTime: 5 }).end(7);
  }),
  ...item(46, "a date that is none", ({ startSpan }: AnyTracing) => {
    startSpan("no date", { startTime: new Date(Number.NaN) }).end(new Date(Number.NaN));
  }),
  ...item(60, "two hundred attributes", ({ startSpan }: AnyTracing) => {
    const attributes = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`a${n}`, n]));
    startSpan("many", { attributes }).end();
  }),
  ...item(
    64,
    "a kind and a status that do not exist",
    ({ startSpan }: AnyTracing) => startSpan("kind", { kind: 99 }).end(),
    ({ startSpan }: AnyTracing) => {
      const span = startSpan("status");
      span.setStatus({ code: 42 });
      span.end();
    },
  ),
  ...item(
    65,
    "a status that says no text",
    ...[{ an: "object" }, new Error("an error"), undefined, 7n, Symbol("s")].map(
      (message) =>
        ({ startSpan }: AnyTracing) => {
          const span = startSpan("message");
          span.setStatus({ code: 2, message });
          span.end();
        },
    ),
  ),
  ...item(
    66,
    "a name that is none",
    ...["", undefined, null, {}, "a\nb"].map((name) => ({ startSpan }: AnyTracing) => {
      const span = startSpan(name);
      span.updateName(name);
      span.addEvent(name);
      span.end();
    }),
  ),
  ...item(70, "spans where nothing is traced", ({ startSpan, suppressed }: AnyTracing) => {
    suppressed(() => startSpan("suppressed").end());
  }),
  ...item(72, "a child that is made a root", ({ startSpan }: AnyTracing) => {
    const parent = startSpan("parent");
    startSpan("root", { root: true }, parent).end();
    parent.end();
  }),
];

const CONTEXT = { traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1 };

function readable(more: object): object {
  return {
    name: "step",
    kind: 0,
    spanContext: () => CONTEXT,
    startTime: [1, 0],
    endTime: [2, 0],
    status: { code: 0 },
    attributes: { [ATTR_SESSION_ID]: "s", [ATTR_GEN_AI_OPERATION_NAME]: "execute_tool" },
    links: [],
    events: [],
    resource: { attributes: {} },
    instrumentationScope: { name: "test" },
    ...more,
  };
}

/** Spans as other SDKs and copies of it hand them to a processor. */
export const badReadableSpans: readonly BadInput<object>[] = [
  ...item(
    67,
    "a resource that is not ready",
    readable({
      resource: { attributes: {}, asyncAttributesPending: true, waitForAsyncAttributes: never },
    }),
    readable({
      resource: { attributes: {}, asyncAttributesPending: true, waitForAsyncAttributes: fails },
    }),
    readable({ resource: { attributes: undefined } }),
    readable({ resource: undefined }),
  ),
  ...item(
    68,
    "one that records nothing",
    { spanContext: () => CONTEXT, isRecording: () => false },
    { spanContext: () => undefined },
    {},
  ),
  ...item(
    69,
    "one that is recorded and not sampled",
    readable({ spanContext: () => ({ ...CONTEXT, traceFlags: 0 }) }),
  ),
  ...item(
    71,
    "one of another SDK",
    readable({ parentSpanId: "c".repeat(16), instrumentationLibrary: { name: "old" } }),
    readable({ instrumentationScope: undefined, instrumentationLibrary: { name: "old" } }),
    readable({ parentSpanContext: null, links: undefined, events: undefined }),
    readable({ startTime: 1_795_183_471_281, endTime: undefined, status: undefined }),
  ),
];

function never(): Promise<void> {
  return new Promise(() => {});
}

function fails(): Promise<void> {
  return Promise.reject(new Error("no resource"));
}
