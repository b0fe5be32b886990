import {
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_THOUGHTFLOW_USAGE_UNCACHED_INPUT_TOKENS,
} from "@thoughtflow/semconv";
import { row, sumRow, tokens } from "../readers.ts";
import type { SpanDialect } from "../span-dialect.ts";

export const bedrock: SpanDialect = {
  name: "Amazon Bedrock",
  about:
    "OpenTelemetry's instrumentation of botocore (0.66b) and Traceloop's of Bedrock (0.62): they count input as Bedrock does, without what was cached",
  signs: [],
  scopes: [
    "opentelemetry.instrumentation.botocore.bedrock-runtime",
    "opentelemetry.instrumentation.bedrock",
  ],
  kinds: [],
  rows: [
    // What was counted stays beside the sum: nothing is added twice to a span that is read twice.
    row(ATTR_THOUGHTFLOW_USAGE_UNCACHED_INPUT_TOKENS, tokens, [
      ATTR_THOUGHTFLOW_USAGE_UNCACHED_INPUT_TOKENS,
      ATTR_GEN_AI_USAGE_INPUT_TOKENS,
    ]),
    sumRow(
      ATTR_GEN_AI_USAGE_INPUT_TOKENS,
      [
        ATTR_GEN_AI_USAGE_INPUT_TOKENS,
        ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
        "gen_ai.usage.cache_creation.input_tokens",
      ],
      {
        [ATTR_GEN_AI_USAGE_INPUT_TOKENS]: ATTR_THOUGHTFLOW_USAGE_UNCACHED_INPUT_TOKENS,
        "gen_ai.usage.cache_creation.input_tokens": ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
      },
    ),
  ],
};
