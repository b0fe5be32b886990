import type { Tracer, TracerProvider } from "@opentelemetry/api";
import { context } from "@opentelemetry/api";
import { isTracingSuppressed } from "@opentelemetry/core";
import { warn } from "./warn.ts";

/**
 * The app's own provider, with its sampling: what it doesn't record can't be in a file, which is told once. Where
 * the app suppresses tracing it means it.
 */
export function tellingOfGaps(provider: TracerProvider): TracerProvider {
  let hasTold = false;

  function startSpan(tracer: Tracer, ...[name, options, parent]: Parameters<Tracer["startSpan"]>) {
    const span = tracer.startSpan(name, options, parent);
    if (hasTold || span.isRecording() || isTracingSuppressed(parent ?? context.active()))
      return span;
    hasTold = true;
    const message =
      "The app's OpenTelemetry provider doesn't record every span (sampling): model calls it leaves out are in no ThoughtFlow file.";
    warn("THOUGHTFLOW_SPANS_NOT_RECORDED", message);
    return span;
  }

  return {
    getTracer(...parameters) {
      const tracer = provider.getTracer(...parameters);
      return {
        startSpan: (...span) => startSpan(tracer, ...span),
        startActiveSpan: tracer.startActiveSpan.bind(tracer),
      };
    },
  };
}
