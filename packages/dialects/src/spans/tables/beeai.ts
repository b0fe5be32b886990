import { OPERATION_AGENT_STEP } from "../frames.ts";
import type { SpanDialect } from "../span-dialect.ts";

export const beeAi: SpanDialect = {
  name: "BeeAI",
  about:
    "OpenInference's instrumentation of BeeAI makes a span of every event; those that only tell of progress are no agents, tools or model calls of their own",
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
  ],
  rows: [],
};
