import type { Counter, Histogram, Meter } from "@opentelemetry/api";
import {
  DURATION_BUCKETS,
  INFERENCE_DURATION_DESCRIPTION,
  METRIC_GEN_AI_CLIENT_INFERENCE_DURATION,
  METRIC_GEN_AI_CLIENT_INFERENCE_TIME_PER_OUTPUT_CHUNK,
  METRIC_GEN_AI_CLIENT_INFERENCE_TIME_TO_FIRST_CHUNK,
  METRIC_GEN_AI_CLIENT_OPERATION_DURATION,
  METRIC_GEN_AI_CLIENT_OPERATION_TIME_TO_FIRST_CHUNK,
  METRIC_GEN_AI_CLIENT_TOKEN_USAGE,
  TIME_TO_FIRST_CHUNK_DESCRIPTION,
  TOKEN_BUCKETS,
  TOKEN_METRICS,
  type TokenMetric,
} from "@thoughtflow/semconv";

/** The instruments of model calls; those of older conventions only where they are asked for. */
export interface CallInstruments {
  readonly inferenceDuration: Histogram;
  readonly operationDuration: Histogram;
  readonly timeToFirstChunk: Histogram;
  readonly timePerOutputChunk: Histogram;
  readonly tokens: readonly TokenInstruments[];
  readonly legacy?: { readonly tokenUsage: Histogram; readonly timeToFirstChunk: Histogram };
}

/** What counts the tokens of one kind, and where there is one the histogram of single calls. */
export interface TokenInstruments {
  readonly metric: TokenMetric;
  readonly counter: Counter;
  readonly ofCall: Histogram | undefined;
}

/** The instruments of a meter, with the units and bucket boundaries of the conventions. */
export function createCallInstruments(meter: Meter, legacyNames: boolean): CallInstruments {
  const seconds = (name: string, description: string): Histogram =>
    meter.createHistogram(name, {
      description,
      unit: "s",
      advice: { explicitBucketBoundaries: [...DURATION_BUCKETS] },
    });
  const distribution = (name: string, description: string): Histogram =>
    meter.createHistogram(name, {
      description,
      unit: "{token}",
      advice: { explicitBucketBoundaries: [...TOKEN_BUCKETS] },
    });
  return {
    inferenceDuration: seconds(
      METRIC_GEN_AI_CLIENT_INFERENCE_DURATION,
      INFERENCE_DURATION_DESCRIPTION,
    ),
    operationDuration: seconds(
      METRIC_GEN_AI_CLIENT_OPERATION_DURATION,
      "Duration of an operation of a GenAI client.",
    ),
    timeToFirstChunk: seconds(
      METRIC_GEN_AI_CLIENT_INFERENCE_TIME_TO_FIRST_CHUNK,
      TIME_TO_FIRST_CHUNK_DESCRIPTION,
    ),
    timePerOutputChunk: seconds(
      METRIC_GEN_AI_CLIENT_INFERENCE_TIME_PER_OUTPUT_CHUNK,
      "Time between the chunks of a streamed answer, from the first one on.",
    ),
    tokens: TOKEN_METRICS.map((metric) => ({
      metric,
      counter: meter.createCounter(metric.name, {
        description: metric.description,
        unit: "{token}",
      }),
      ofCall: metric.ofCall && distribution(metric.ofCall.name, metric.ofCall.description),
    })),
    ...(legacyNames && {
      legacy: {
        tokenUsage: distribution(METRIC_GEN_AI_CLIENT_TOKEN_USAGE, "Tokens used."),
        timeToFirstChunk: seconds(
          METRIC_GEN_AI_CLIENT_OPERATION_TIME_TO_FIRST_CHUNK,
          TIME_TO_FIRST_CHUNK_DESCRIPTION,
        ),
      },
    }),
  };
}
