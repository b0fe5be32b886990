import { setImmediate } from "node:timers/promises";
import { decodeProtobufRequest, type ScannedRequest } from "@thoughtflow/otlp";
import type { Registry } from "prom-client";
import { createCallMetrics } from "./call-metrics.ts";

/** Counts the model calls of requests that were taken. */
export interface CallCounting {
  /** Takes note of the calls of a request whose bytes still lie where they were. */
  take(request: ScannedRequest): void;
}

/** Some 18,000 calls. */
const MOST_WAITING_BYTES = 8 * 2 ** 20;
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
  const waiting: Uint8Array[] = [];
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;

  function guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      onFailure(error, "the metrics of model calls");
    }
  }

  function countOne(): void {
    const request = waiting.shift() ?? new Uint8Array();
    bytes -= request.length;
    guarded(() => metrics.take(decodeProtobufRequest(request).records));
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
        if (flow.length === 0) return;
        const extract = request.extractOf(flow);
        waiting.push(extract);
        bytes += extract.length;
      });
      while (bytes > MOST_WAITING_BYTES) countOne();
      timer ??= setTimeout(() => void countAll(), LULL_MS).unref();
      timer.refresh();
    },
  };
}
