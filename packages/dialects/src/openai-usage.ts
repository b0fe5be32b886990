import {
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
} from "@thoughtflow/semconv";
import { numberOf, present, propertiesOf } from "./unknown-values.ts";

/**
 * Usage of either OpenAI API. Both count as the conventions do: cached tokens are part of the input,
 * reasoning tokens part of the output, so nothing is added up here.
 */
export function usageAttributes(value: unknown): Record<string, number> {
  const usage = propertiesOf(value);
  const input = propertiesOf(usage["input_tokens_details"] ?? usage["prompt_tokens_details"]);
  const output = propertiesOf(usage["output_tokens_details"] ?? usage["completion_tokens_details"]);
  return present({
    [ATTR_GEN_AI_USAGE_INPUT_TOKENS]: numberOf(usage["input_tokens"] ?? usage["prompt_tokens"]),
    [ATTR_GEN_AI_USAGE_OUTPUT_TOKENS]: numberOf(
      usage["output_tokens"] ?? usage["completion_tokens"],
    ),
    [ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS]: numberOf(
      input["cached_tokens"] ?? usage["prompt_cache_hit_tokens"],
    ),
    [ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS]: numberOf(input["cache_write_tokens"]),
    [ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS]: numberOf(output["reasoning_tokens"]),
  });
}
