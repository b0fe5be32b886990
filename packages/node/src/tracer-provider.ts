import { basename } from "node:path";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from "@opentelemetry/resources";
import type { Sampler, SpanProcessor } from "@opentelemetry/sdk-trace-node";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { ATTR_SERVICE_NAME } from "@thoughtflow/semconv";
import { createIdGenerator } from "./id-generator.ts";
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
  // The default of the specification, without the path that the SDK would leave in it.
  const name = resourceFromAttributes({
    [ATTR_SERVICE_NAME]: `unknown_service:${basename(process.execPath)}`,
  });
  const detected = detectResources({ detectors: [serviceInstanceIdDetector, envDetector] });
  const resource = defaultResource().merge(name).merge(detected);
  return new NodeTracerProvider({
    resource,
    sampler,
    idGenerator: createIdGenerator(),
    spanLimits: { ...config.spanLimits },
    spanProcessors,
  });
}
