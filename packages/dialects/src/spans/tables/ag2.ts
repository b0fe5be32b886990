import { ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS } from "@thoughtflow/semconv";
import { OPERATION_MACHINERY } from "../frames.ts";
import { row, tokens } from "../readers.ts";
import type { SpanDialect } from "../span-dialect.ts";

export const ag2: SpanDialect = {
  name: "AG2",
  about:
    "AG2 1 by its telemetry middleware, in GenAI names; what it tells of tokens in spans of their own (`record_usage`) says the calls beside them once more",
  signs: ["ag2."],
  kinds: [{ from: "ag2.span.type", means: { usage: OPERATION_MACHINERY } }],
  rows: [row(ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS, tokens, "gen_ai.usage.thinking_tokens")],
};
