import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-node";

/**
 * What `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` ask for; unknown names mean `parentbased_always_on`.
 * The SDK does the same, but gives its sampler to nobody to wrap.
 */
export function samplerFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Sampler {
  const argument = Number(environment["OTEL_TRACES_SAMPLER_ARG"] || Number.NaN);
  const ratio = argument >= 0 && argument <= 1 ? argument : 1;
  switch (environment["OTEL_TRACES_SAMPLER"]) {
    case "always_on":
      return new AlwaysOnSampler();
    case "always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
      return new TraceIdRatioBasedSampler(ratio);
    case "parentbased_always_off":
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case "parentbased_traceidratio":
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
    default:
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
  }
}

/** The same decisions, except that a span which would not be sent is still recorded. */
export function recordAll(sampler: Sampler): Sampler {
  return {
    shouldSample(...parameters) {
      const result = sampler.shouldSample(...parameters);
      return result.decision === SamplingDecision.NOT_RECORD
        ? { ...result, decision: SamplingDecision.RECORD }
        : result;
    },
    toString: () => `RecordAll{${sampler.toString()}}`,
  };
}
