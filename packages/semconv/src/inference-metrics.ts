import {
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
  OPERATION_CHAT,
  OPERATION_GENERATE_CONTENT,
  OPERATION_TEXT_COMPLETION,
} from "./gen-ai.ts";
import {
  METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_OUTPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_READ_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_WRITE_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_OUTPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS,
} from "./metrics.ts";

/** The operations that are inferences; every other operation has a duration alone. */
export const INFERENCE_OPERATIONS: ReadonlySet<unknown> = new Set([
  OPERATION_CHAT,
  OPERATION_TEXT_COMPLETION,
  OPERATION_GENERATE_CONTENT,
]);

/** A metric by its name, and what it says. */
export interface NamedMetric {
  readonly name: string;
  readonly description: string;
}

/** The words of the instrument. */
export const INFERENCE_DURATION_DESCRIPTION = "Duration of an inference, as the caller sees it.";
/** The words of the instrument. */
export const TIME_TO_FIRST_CHUNK_DESCRIPTION = "Time until the first chunk of a streamed answer.";

/** A counter of tokens. */
export interface TokenMetric extends NamedMetric {
  /** The attribute that says how many. */
  readonly attribute: string;
  /** By modality the attributes that say how many of these. */
  readonly modalities: Readonly<Record<string, string>>;
  /** The histogram of single calls; where there is one, a call without usage counts as 0. */
  readonly ofCall?: NamedMetric;
}

/** What is counted of every inference, newest generation. Source: gen-ai-token-metrics.md, 2026-10-09. */
export const TOKEN_METRICS: readonly TokenMetric[] = [
  {
    name: METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_INPUT_TOKENS,
    description: "Input tokens used, cached ones included.",
    attribute: ATTR_GEN_AI_USAGE_INPUT_TOKENS,
    modalities: {
      text: ATTR_GEN_AI_USAGE_TEXT_INPUT_TOKENS,
      image: ATTR_GEN_AI_USAGE_IMAGE_INPUT_TOKENS,
      audio: ATTR_GEN_AI_USAGE_AUDIO_INPUT_TOKENS,
    },
    ofCall: {
      name: METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_INPUT_TOKENS,
      description: "Input tokens of single inferences.",
    },
  },
  {
    name: METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_OUTPUT_TOKENS,
    description: "Output tokens used, reasoning included.",
    attribute: ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
    modalities: {
      text: ATTR_GEN_AI_USAGE_TEXT_OUTPUT_TOKENS,
      image: ATTR_GEN_AI_USAGE_IMAGE_OUTPUT_TOKENS,
      audio: ATTR_GEN_AI_USAGE_AUDIO_OUTPUT_TOKENS,
    },
    ofCall: {
      name: METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_OUTPUT_TOKENS,
      description: "Output tokens of single inferences.",
    },
  },
  {
    name: METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_READ_INPUT_TOKENS,
    description: "Input tokens read from a cache.",
    attribute: ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
    modalities: {
      text: ATTR_GEN_AI_USAGE_TEXT_CACHE_READ_INPUT_TOKENS,
      image: ATTR_GEN_AI_USAGE_IMAGE_CACHE_READ_INPUT_TOKENS,
      audio: ATTR_GEN_AI_USAGE_AUDIO_CACHE_READ_INPUT_TOKENS,
    },
  },
  {
    name: METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_WRITE_INPUT_TOKENS,
    description: "Input tokens written to a cache.",
    attribute: ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
    modalities: {},
  },
  {
    name: METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS,
    description: "Output tokens used for reasoning.",
    attribute: ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
    modalities: {},
  },
];

/** Tokens of one modality, `unknown` where nobody said. */
export interface ModalityTokens {
  readonly modality: string;
  readonly tokens: number;
}

/** What a counter gets of one call. */
export interface CountedTokens {
  /** `undefined` where the call says nothing. */
  readonly total: number | undefined;
  /** Together the total; none where the counter is not to be told. */
  readonly byModality: readonly ModalityTokens[];
}

/** Reads off a call's attributes what a counter gets of it: by modality as far as that is told, the rest as `unknown`. */
export function countedTokens(
  { attribute, modalities, ofCall }: TokenMetric,
  attributes: Readonly<Record<string, unknown>>,
  isInference: boolean,
): CountedTokens {
  const total = tokensIn(attributes, attribute);
  if (total === undefined && (ofCall === undefined || !isInference)) {
    return { total, byModality: [] };
  }
  const byModality: ModalityTokens[] = [];
  let rest = total ?? 0;
  for (const modality in modalities) {
    const tokens = tokensIn(attributes, modalities[modality] ?? "") ?? 0;
    // Parts that are more than the whole are no parts of it.
    if (tokens === 0 || tokens > rest) continue;
    byModality.push({ modality, tokens });
    rest -= tokens;
  }
  if (rest > 0 || byModality.length === 0) byModality.push({ modality: "unknown", tokens: rest });
  return { total, byModality };
}

function tokensIn(attributes: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = attributes[name];
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
