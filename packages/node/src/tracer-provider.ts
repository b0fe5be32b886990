import {
  defaultResource,
  detectResources,
  envDetector,
  serviceInstanceIdDetector,
} from "@opentelemetry/resources";
import type { Sampler, SpanProcessor } from "@opentelemetry/sdk-trace-node";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import type { ThoughtFlowConfig } from "./options.ts";
import { recordAll, samplerFromEnvironment } from "./sampler.ts";

/**
 * A provider with the resource that `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME` describe and an id of its
 * own for this process. Sampling decides what is sent; recorded, for the files, is everything.
 */
export function createTracerProvider(
  config: ThoughtFlowConfig,
  spanProcessors: SpanProcessor[],
  environment: Readonly<Record<string, string | undefined>>,
): NodeTracerProvider {
  const sampler: Sampler = recordAll(samplerFromEnvironment(environment));
  const resource = defaultResource().merge(
    detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }),
  );
  return new NodeTracerProvider({
    resource,
    sampler,
    spanLimits: { ...config.spanLimits },
    spanProcessors,
  });
}
