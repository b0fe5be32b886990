/**
 * The metrics of model calls, newest generation, and what is counted in which steps.
 * Source: open-telemetry/semantic-conventions-genai main, 2026-10-09: gen-ai-metrics.md, gen-ai-token-metrics.md.
 */

/** Histogram, seconds: a chat, a completion. */
export const METRIC_GEN_AI_CLIENT_INFERENCE_DURATION = "gen_ai.client.inference.duration";
/** Histogram, seconds; of streams. */
export const METRIC_GEN_AI_CLIENT_INFERENCE_TIME_TO_FIRST_CHUNK =
  "gen_ai.client.inference.time_to_first_chunk";
/** Histogram, seconds; of streams, one record for each chunk after the first. */
export const METRIC_GEN_AI_CLIENT_INFERENCE_TIME_PER_OUTPUT_CHUNK =
  "gen_ai.client.inference.time_per_output_chunk";
/** Histogram, seconds: every other operation of a client, and in core 1.41 those above too. */
export const METRIC_GEN_AI_CLIENT_OPERATION_DURATION = "gen_ai.client.operation.duration";

/** Counters by modality; the last three count parts of the first two. */
export const METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_INPUT_TOKENS =
  "gen_ai.client.inference.usage.input_tokens";
/** Counter by modality. */
export const METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_OUTPUT_TOKENS =
  "gen_ai.client.inference.usage.output_tokens";
/** Counter by modality: part of the input tokens. */
export const METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_READ_INPUT_TOKENS =
  "gen_ai.client.inference.usage.cache_read.input_tokens";
/** Counter by modality: part of the input tokens. */
export const METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_WRITE_INPUT_TOKENS =
  "gen_ai.client.inference.usage.cache_write.input_tokens";
/** Counter by modality: part of the output tokens. */
export const METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS =
  "gen_ai.client.inference.usage.reasoning.output_tokens";

/** Histograms of single calls: for percentiles, not for sums. */
export const METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_INPUT_TOKENS =
  "gen_ai.client.inference.operation.input_tokens";
/** Histogram of single calls. */
export const METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_OUTPUT_TOKENS =
  "gen_ai.client.inference.operation.output_tokens";

/** `text`, `image`, `audio` or `unknown`. */
export const ATTR_GEN_AI_TOKEN_MODALITY = "gen_ai.token.modality";

/** Of core 1.41 and before: one histogram for all tokens, told apart by `gen_ai.token.type`, `input` or `output`. */
export const METRIC_GEN_AI_CLIENT_TOKEN_USAGE = "gen_ai.client.token.usage";
/** Histogram, seconds; of core 1.41 and before. */
export const METRIC_GEN_AI_CLIENT_OPERATION_TIME_TO_FIRST_CHUNK =
  "gen_ai.client.operation.time_to_first_chunk";
/** `input` or `output`, on the histogram of core 1.41. */
export const ATTR_GEN_AI_TOKEN_TYPE = "gen_ai.token.type";

/** Bucket boundaries of every duration, seconds. */
export const DURATION_BUCKETS: readonly number[] = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
/** Bucket boundaries of every number of tokens. */
export const TOKEN_BUCKETS: readonly number[] = [
  1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864,
];
