import type { Span } from "@opentelemetry/api";
import { processState } from "./process-state.ts";

type OpenSpans = () => readonly Span[];

const sources = processState<Set<OpenSpans>>("open-spans.v1", () => new Set());

/** Adds one who knows which spans of the process have begun lately and not ended, the oldest first. It must not throw. */
export function addOpenSpans(source: OpenSpans): void {
  sources.add(source);
}

/** The spans of any instrumentation that have begun lately and not ended, as far as anybody sees them begin; the oldest first. */
export function openSpans(): readonly Span[] {
  return [...new Set([...sources].flatMap((source) => source()))];
}

/** The same for every copy of this package. */
const INSIDE: unique symbol = Symbol.for("thoughtflow.spans-inside.v1");

interface WithSpansInside {
  readonly [INSIDE]?: Span[];
}

/** Notes that a span has begun right below another, which can then tell what it has in it. */
export function noteSpanInside(outer: object, span: Span): void {
  const noted = (outer as WithSpansInside)[INSIDE];
  if (noted === undefined) Reflect.defineProperty(outer, INSIDE, { value: [span] });
  else noted.push(span);
}

/** The spans that have begun right below this one, as far as anybody noted them. */
export function spansInside(outer: object): readonly Span[] {
  return (outer as WithSpansInside)[INSIDE] ?? [];
}
