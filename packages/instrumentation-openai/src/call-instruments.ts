import type { Counter, Histogram, Meter } from "@opentelemetry/api";
import {
  DURATION_BUCKETS,
  METRIC_GEN_AI_CLIENT_INFERENCE_DURATION,
  METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_OUTPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_TIME_PER_OUTPUT_CHUNK,
  METRIC_GEN_AI_CLIENT_INFERENCE_TIME_TO_FIRST_CHUNK,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_READ_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_WRITE_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_OUTPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_OPERATION_DURATION,
  METRIC_GEN_AI_CLIENT_OPERATION_TIME_TO_FIRST_CHUNK,
  METRIC_GEN_AI_CLIENT_TOKEN_USAGE,
  TOKEN_BUCKETS,
} from "@thoughtflow/semconv";

/** The instruments of model calls; those of older conventions only where they are asked for. */
export interface CallInstruments {
  readonly inferenceDuration: Histogram;
  readonly operationDuration: Histogram;
  readonly timeToFirstChunk: Histogram;
  readonly timePerOutputChunk: Histogram;
  readonly inputTokens: Counter;
  readonly outputTokens: Counter;
  readonly cacheReadTokens: Counter;
  readonly cacheWriteTokens: Counter;
  readonly reasoningTokens: Counter;
  readonly inputTokensOfCall: Histogram;
  readonly outputTokensOfCall: Histogram;
  readonly legacy?: { readonly tokenUsage: Histogram; readonly timeToFirstChunk: Histogram };
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
  const tokens = (name: string, description: string): Counter =>
    meter.createCounter(name, { description, unit: "{token}" });
  return {
    inferenceDuration: seconds(
      METRIC_GEN_AI_CLIENT_INFERENCE_DURATION,
      "Duration of an inference, as the caller sees it.",
    ),
    operationDuration: seconds(
      METRIC_GEN_AI_CLIENT_OPERATION_DURATION,
      "Duration of an operation of a GenAI client.",
    ),
    timeToFirstChunk: seconds(
      METRIC_GEN_AI_CLIENT_INFERENCE_TIME_TO_FIRST_CHUNK,
      "Time until the first chunk of a streamed answer.",
    ),
    timePerOutputChunk: seconds(
      METRIC_GEN_AI_CLIENT_INFERENCE_TIME_PER_OUTPUT_CHUNK,
      "Time between the chunks of a streamed answer, from the first one on.",
    ),
    inputTokens: tokens(
      METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_INPUT_TOKENS,
      "Input tokens used, cached ones included.",
    ),
    outputTokens: tokens(
      METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_OUTPUT_TOKENS,
      "Output tokens used, reasoning included.",
    ),
    cacheReadTokens: tokens(
      METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_READ_INPUT_TOKENS,
      "Input tokens read from a cache.",
    ),
    cacheWriteTokens: tokens(
      METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_WRITE_INPUT_TOKENS,
      "Input tokens written to a cache.",
    ),
    reasoningTokens: tokens(
      METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS,
      "Output tokens used for reasoning.",
    ),
    inputTokensOfCall: distribution(
      METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_INPUT_TOKENS,
      "Input tokens of single inferences.",
    ),
    outputTokensOfCall: distribution(
      METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_OUTPUT_TOKENS,
      "Output tokens of single inferences.",
    ),
    ...(legacyNames && {
      legacy: {
        tokenUsage: distribution(METRIC_GEN_AI_CLIENT_TOKEN_USAGE, "Tokens used."),
        timeToFirstChunk: seconds(
          METRIC_GEN_AI_CLIENT_OPERATION_TIME_TO_FIRST_CHUNK,
          "Time until the first chunk of a streamed answer.",
        ),
      },
    }),
  };
}
