import { context, propagation, trace } from "@opentelemetry/api";
import type { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

/** Where every copy and version of the OpenTelemetry API keeps what was registered. */
const registry: unique symbol = Symbol.for("opentelemetry.js.api.1");

interface Registered {
  readonly trace?: unknown;
  readonly context?: unknown;
  readonly propagation?: unknown;
}

/** What the process has registered with the OpenTelemetry API so far, by whomever. */
function registered(): Registered {
  const holder = globalThis as { [registry]?: Registered };
  return holder[registry] ?? {};
}

/**
 * Makes a provider the process's own, together with context manager and propagator as far as those are free.
 * Leaves everything alone when the app has registered a provider: its spans are its own.
 *
 * @returns what undoes it, or undefined when there was a provider already
 */
export function claimOtelGlobals(provider: NodeTracerProvider): (() => void) | undefined {
  const { trace: isTaken, context: contextManager, propagation: propagator } = registered();
  if (isTaken !== undefined) return undefined;
  provider.register({
    ...(contextManager === undefined ? {} : { contextManager: null }),
    ...(propagator === undefined ? {} : { propagator: null }),
  });
  return () => {
    trace.disable();
    if (contextManager === undefined) context.disable();
    if (propagator === undefined) propagation.disable();
  };
}
