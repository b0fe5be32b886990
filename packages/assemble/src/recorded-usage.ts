import type { SpanRecord, Usage } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_USAGE_AUDIO_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_AUDIO_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_AUDIO_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_IMAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_IMAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_IMAGE_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_TEXT_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_TEXT_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_TEXT_OUTPUT_TOKENS,
  GEN_AI_USAGE_PREFIX,
  OPERATION_INVOKE_AGENT,
  OPERATION_INVOKE_WORKFLOW,
  THOUGHTFLOW_USAGE_PREFIX,
} from "@thoughtflow/semconv";
import { isRemoteCall } from "./remote-call.ts";
import { attributeOf, numberAttribute } from "./span-node.ts";

/** The counts that a usage may have. */
type TokenKey =
  | "input_tokens"
  | "output_tokens"
  | "cache_read_input_tokens"
  | "cache_write_input_tokens"
  | "reasoning_output_tokens"
  | "text_input_tokens"
  | "text_output_tokens"
  | "image_input_tokens"
  | "image_output_tokens"
  | "audio_input_tokens"
  | "audio_output_tokens"
  | "text_cache_read_input_tokens"
  | "image_cache_read_input_tokens"
  | "audio_cache_read_input_tokens";

const ATTRIBUTES: Readonly<Record<TokenKey, string>> = {
  input_tokens: ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  output_tokens: ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  cache_read_input_tokens: ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  cache_write_input_tokens: ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
  reasoning_output_tokens: ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
  text_input_tokens: ATTR_GEN_AI_USAGE_TEXT_INPUT_TOKENS,
  text_output_tokens: ATTR_GEN_AI_USAGE_TEXT_OUTPUT_TOKENS,
  image_input_tokens: ATTR_GEN_AI_USAGE_IMAGE_INPUT_TOKENS,
  image_output_tokens: ATTR_GEN_AI_USAGE_IMAGE_OUTPUT_TOKENS,
  audio_input_tokens: ATTR_GEN_AI_USAGE_AUDIO_INPUT_TOKENS,
  audio_output_tokens: ATTR_GEN_AI_USAGE_AUDIO_OUTPUT_TOKENS,
  text_cache_read_input_tokens: ATTR_GEN_AI_USAGE_TEXT_CACHE_READ_INPUT_TOKENS,
  image_cache_read_input_tokens: ATTR_GEN_AI_USAGE_IMAGE_CACHE_READ_INPUT_TOKENS,
  audio_cache_read_input_tokens: ATTR_GEN_AI_USAGE_AUDIO_CACHE_READ_INPUT_TOKENS,
};

/** In the order of the document. */
export const TOKEN_KEYS: readonly TokenKey[] = Object.keys(ATTRIBUTES) as TokenKey[];

interface TokenNames {
  readonly key: TokenKey;
  /** In the conventions. */
  readonly name: string;
  readonly ownName: string;
}

const NAMES: readonly TokenNames[] = TOKEN_KEYS.map((key) => {
  const name = ATTRIBUTES[key];
  const ownName = THOUGHTFLOW_USAGE_PREFIX + name.slice(GEN_AI_USAGE_PREFIX.length);
  return { key, name, ownName };
});

const ALL_NAMES: ReadonlySet<string> = new Set(
  NAMES.flatMap(({ name, ownName }) => [name, ownName]),
);

/** Most spans are of no model call: that is seen at once. */
function saysUsage({ attributes }: SpanRecord): boolean {
  for (const name in attributes) if (ALL_NAMES.has(name)) return true;
  return false;
}

/** The way back: what a span that reports a usage says. */
export function usageAttributes(usage: Usage): Readonly<Record<string, number>> {
  return Object.fromEntries(
    NAMES.flatMap(({ key, name }) => {
      const count = usage[key];
      return count === undefined ? [] : [[name, count]];
    }),
  );
}

/** The tokens that a span reports as its own. */
export function usageOf(record: SpanRecord): Usage | undefined {
  const operation = attributeOf(record, ATTR_GEN_AI_OPERATION_NAME);
  // The span of an agent in the process repeats the sum of its calls.
  const isSum = operation === OPERATION_INVOKE_AGENT || operation === OPERATION_INVOKE_WORKFLOW;
  if (isSum && !isRemoteCall(record)) return undefined;
  if (!saysUsage(record)) return undefined;
  let usage: Usage | undefined;
  for (const { key, name, ownName } of NAMES) {
    const count = tokensAt(record, name) ?? tokensAt(record, ownName);
    if (count === undefined) continue;
    usage ??= {};
    usage[key] = count;
  }
  return usage;
}

/** A count of tokens that a span reports; what is no count is not there. */
export function tokensAt(record: SpanRecord, name: string): number | undefined {
  const count = numberAttribute(record, name);
  return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
