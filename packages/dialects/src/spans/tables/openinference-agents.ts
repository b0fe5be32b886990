import { ATTR_THOUGHTFLOW_STEP_STARTED } from "@thoughtflow/semconv";
import { OPERATION_HANDOFF } from "../frames.ts";
import { membersPayload } from "../members-payload.ts";
import { SPAN_NAME, type SpanDialect } from "../span-dialect.ts";

export const openInferenceAgents: SpanDialect = {
  name: "OpenAI Agents SDK through OpenInference",
  about: "OpenInference's instrumentation of the Agents SDK tells of a handover as a tool",
  signs: [],
  scopes: ["openinference.instrumentation.openai_agents"],
  kinds: [{ from: SPAN_NAME, means: { "handoff to *": OPERATION_HANDOFF }, overrules: true }],
  rows: [
    membersPayload(
      ATTR_THOUGHTFLOW_STEP_STARTED,
      "args",
      { from_agent: "input.value", to_agent: "output.value" },
      [OPERATION_HANDOFF],
    ),
  ],
};
