import { ProxyTracer, type TracerProvider } from "@opentelemetry/api";

/**
 * A provider that is looked up when the first span starts, not when a tracer is asked for: instrumentation can be
 * in place before anything heavy is loaded, and before the app has set up an OpenTelemetry of its own.
 */
export function createLateTracerProvider(provider: () => TracerProvider): TracerProvider {
  const delegator: TracerProvider & { getDelegateTracer: TracerProvider["getTracer"] } = {
    getTracer: (name, version, options) => new ProxyTracer(delegator, name, version, options),
    getDelegateTracer: (name, version, options) => provider().getTracer(name, version, options),
  };
  return delegator;
}
