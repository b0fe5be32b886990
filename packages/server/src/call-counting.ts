import type { ScannedRequest } from "@thoughtflow/otlp";
import type { Registry } from "prom-client";
import { createCallMetrics, isCountedName } from "./call-metrics.ts";

/** Counts the model calls of requests that were taken. */
export interface CallCounting {
  /** Counts those of a request whose bytes still lie where they were. Never throws. */
  take(request: ScannedRequest): void;
}

/** What goes wrong there ends nothing. */
export function createCallCounting(
  registry: Registry,
  onFailure: (problem: unknown, what: string) => void,
): CallCounting {
  const metrics = createCallMetrics(registry);
  return {
    take({ spans, recordsOf }) {
      const flow = spans.filter(({ isFlow }) => isFlow);
      if (flow.length === 0) return;
      try {
        metrics.take(recordsOf(flow, isCountedName));
      } catch (error) {
        onFailure(error, "the metrics of model calls");
      }
    },
  };
}
