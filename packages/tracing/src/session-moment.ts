import type { Attributes, Span } from "@opentelemetry/api";
import { context } from "@opentelemetry/api";
import { SPAN_SESSION } from "@thoughtflow/semconv";
import { attempt } from "./attempt.ts";
import { activeTracer, endAtStart, startSpan } from "./tracer.ts";

/**
 * Records what is said of a session at one moment: a span without duration that is no step. What is said later
 * wins, so it needs no open run. `attributes` name the session.
 */
export function recordSessionMoment(
  attributes: Attributes,
  write: (span: Span) => void = () => {},
): void {
  const tracer = activeTracer();
  if (tracer === undefined) return;
  attempt(() => {
    const span = startSpan(tracer, SPAN_SESSION, { attributes }, context.active());
    if (span === undefined) return;
    write(span);
    endAtStart(span);
  });
}
