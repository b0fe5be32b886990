import { setImmediate } from "node:timers/promises";
import type { ScannedRequest } from "@thoughtflow/otlp";
import type { SpanRecord } from "@thoughtflow/schema";
import type { Registry } from "prom-client";
import { createCallMetrics } from "./call-metrics.ts";

/** Counts the model calls of requests that were taken. */
export interface CallCounting {
  /** Takes note of the calls of a request whose bytes still lie where they were. */
  take(request: ScannedRequest): void;
}

/** A kilobyte each. */
const MOST_WAITING = 10_000;
const LULL_MS = 200;

/**
 * Calls are counted when somebody asks for the numbers, when no request has come for a moment, or when many wait: not before
 * an answer. What goes wrong there ends nothing.
 */
export function createCallCounting(
  registry: Registry,
  onFailure: (problem: unknown, what: string) => void,
): CallCounting {
  const metrics = createCallMetrics(registry, settle);
  const waiting: (readonly SpanRecord[])[] = [];
  let spans = 0;
  let timer: NodeJS.Timeout | undefined;

  function guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      onFailure(error, "the metrics of model calls");
    }
  }

  function countOne(): void {
    const records = waiting.shift() ?? [];
    spans -= records.length;
    guarded(() => metrics.take(records));
  }

  function settle(): void {
    while (waiting.length > 0) countOne();
  }

  async function countAll(): Promise<void> {
    while (waiting.length > 0) {
      countOne();
      await setImmediate();
    }
  }

  return {
    take(request) {
      guarded(() => {
        const flow = request.spans.filter(({ isFlow }) => isFlow);
        const records = request.recordsOf(flow);
        if (records.length === 0) return;
        waiting.push(records);
        spans += records.length;
      });
      while (spans > MOST_WAITING) countOne();
      timer ??= setTimeout(() => void countAll(), LULL_MS).unref();
      timer.refresh();
    },
  };
}
