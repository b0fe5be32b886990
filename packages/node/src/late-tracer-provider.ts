import type { Tracer, TracerProvider } from "@opentelemetry/api";

/**
 * A provider that is looked up when a span starts, not when a tracer is asked for: instrumentation can be in place
 * before anything heavy is loaded, before the app has set up an OpenTelemetry of its own, and after a restart.
 */
export function createLateTracerProvider(provider: () => TracerProvider): TracerProvider {
  return {
    getTracer(name, version, options) {
      const tracer = (): Tracer => provider().getTracer(name, version, options);
      return {
        startSpan: (...parameters) => tracer().startSpan(...parameters),
        startActiveSpan(...parameters: unknown[]) {
          const actual = tracer();
          return Reflect.apply(actual.startActiveSpan, actual, parameters);
        },
      };
    },
  };
}
