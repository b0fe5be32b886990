import { ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, OPERATION_EXECUTE_TOOL } from "@thoughtflow/semconv";
import { OPERATION_AGENT_STEP } from "../frames.ts";
import { jsonAt, row } from "../readers.ts";
import { SPAN_NAME, type SpanDialect } from "../span-dialect.ts";

export const beeAi: SpanDialect = {
  name: "BeeAI",
  about:
    "OpenInference's instrumentation of BeeAI makes a span of every event; those that only tell of progress or of an error are no agents, tools or model calls of their own",
  signs: [],
  scopes: ["openinference.instrumentation.beeai"],
  kinds: [
    {
      from: "name",
      means: {
        update: OPERATION_AGENT_STEP,
        partial_update: OPERATION_AGENT_STEP,
        finish: OPERATION_AGENT_STEP,
      },
    },
    { from: SPAN_NAME, means: { error: OPERATION_AGENT_STEP } },
  ],
  rows: [
    row(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, jsonAt("input"), "input.value", [OPERATION_EXECUTE_TOOL]),
  ],
};
