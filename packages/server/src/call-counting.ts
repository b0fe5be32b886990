import { decodeProtobufRequest, type ScannedRequest } from "@thoughtflow/otlp";
import type { Registry } from "prom-client";
import { createCallMetrics } from "./call-metrics.ts";

/** No name of a model and no count of tokens is longer; messages are, and stay undecoded. */
const LONGEST_ATTRIBUTE = 4096;

/** Counts the model calls of requests that were taken, each after its answer. What goes wrong there ends nothing. */
export function createCallCounting(
  registry: Registry,
  onFailure: (problem: unknown, what: string) => void,
): (request: ScannedRequest) => void {
  const metrics = createCallMetrics(registry);
  return (request) => {
    const spans = request.spans.filter(({ isFlow }) => isFlow);
    if (spans.length === 0) return;
    setImmediate(() => {
      try {
        const bytes = Buffer.concat(request.requestOf(spans));
        metrics.take(decodeProtobufRequest(bytes, { longestAttribute: LONGEST_ATTRIBUTE }).records);
      } catch (error) {
        onFailure(error, "the metrics of model calls");
      }
    });
  };
}
