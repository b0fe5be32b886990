import {
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_SEED,
  ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_OPENAI_REQUEST_SERVICE_TIER,
  ATTR_OPENAI_RESPONSE_SERVICE_TIER,
  ATTR_OPENAI_RESPONSE_SYSTEM_FINGERPRINT,
} from "./gen-ai.ts";

/** Now `gen_ai.provider.name`. */
export const ATTR_GEN_AI_SYSTEM = "gen_ai.system";

/** The names that attributes had in earlier generations of the conventions, core 1.26 to 1.41, by their names now. */
export const LEGACY_NAMES: ReadonlyMap<string, string> = new Map([
  [ATTR_GEN_AI_PROVIDER_NAME, ATTR_GEN_AI_SYSTEM],
  [ATTR_GEN_AI_USAGE_INPUT_TOKENS, "gen_ai.usage.prompt_tokens"],
  [ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, "gen_ai.usage.completion_tokens"],
  [ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS, "gen_ai.usage.cache_creation.input_tokens"],
  [ATTR_GEN_AI_REQUEST_SEED, "gen_ai.openai.request.seed"],
  [ATTR_OPENAI_REQUEST_SERVICE_TIER, "gen_ai.openai.request.service_tier"],
  [ATTR_OPENAI_RESPONSE_SERVICE_TIER, "gen_ai.openai.response.service_tier"],
  [ATTR_OPENAI_RESPONSE_SYSTEM_FINGERPRINT, "gen_ai.openai.response.system_fingerprint"],
]);

/** Values of `gen_ai.system` that are not those of `gen_ai.provider.name`. */
export const LEGACY_SYSTEMS: ReadonlyMap<string, string> = new Map([
  ["azure.ai.inference", "az.ai.inference"],
  ["azure.ai.openai", "az.ai.openai"],
  ["gcp.gemini", "gemini"],
  ["gcp.vertex_ai", "vertex_ai"],
  ["x_ai", "xai"],
]);
