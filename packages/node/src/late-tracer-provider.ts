import type { Tracer, TracerProvider } from "@opentelemetry/api";

/**
 * A provider that is looked up when a span starts, not when a tracer is asked for: instrumentation can be in place
 * before anything heavy is loaded, before the app has set up an OpenTelemetry of its own, and after a restart.
 */
export function createLateTracerProvider(provider: () => TracerProvider): TracerProvider {
  return {
    getTracer(name, version, options) {
      let from: TracerProvider | undefined;
      let known: Tracer | undefined;
      const tracer = (): Tracer => {
        const now = provider();
        if (known === undefined || now !== from) known = now.getTracer(name, version, options);
        from = now;
        return known;
      };
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
