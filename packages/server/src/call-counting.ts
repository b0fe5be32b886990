import { setImmediate } from "node:timers/promises";
import { decodeProtobufRequest, type ScannedRequest } from "@thoughtflow/otlp";
import type { Registry } from "prom-client";
import { createCallMetrics } from "./call-metrics.ts";

/**
 * Counts the model calls of requests that were taken, each after its answer; resolves when it has looked through one. What goes
 * wrong there ends nothing.
 */
export function createCallCounting(
  registry: Registry,
  onFailure: (problem: unknown, what: string) => void,
): (request: ScannedRequest) => Promise<void> {
  const metrics = createCallMetrics(registry);
  return async (request) => {
    const spans = request.spans.filter(({ isFlow }) => isFlow);
    if (spans.length === 0) return;
    await setImmediate();
    try {
      const bytes = inOne(request.requestOf(spans));
      metrics.take(decodeProtobufRequest(bytes, { isRead: metrics.isRead }).records);
    } catch (error) {
      onFailure(error, "the metrics of model calls");
    }
  };
}

/** Most requests are in one piece, some MiB of it. */
function inOne(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
}
