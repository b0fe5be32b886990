import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_AGENT,
} from "@thoughtflow/semconv";
import type { Reader } from "../reader.ts";
import { row, textAt } from "../readers.ts";
import type { SpanDialect } from "../span-dialect.ts";
import { parsedOr } from "../span-view.ts";

const TOOL = [OPERATION_EXECUTE_TOOL];

const onlyText = textAt(0, "content");
/** What a tool was given and gave stands as the only message's text. */
const said: Reader = {
  as: "JSON of the only message's text",
  read(span, name) {
    const text = onlyText.read(span, name);
    return typeof text === "string" ? JSON.stringify(parsedOr(text)) : undefined;
  },
};

export const tanStackAi: SpanDialect = {
  name: "TanStack AI",
  about:
    "TanStack AI's middleware for OpenTelemetry, in GenAI names with Langfuse's beside them: the span of the whole loop is an agent, though it is called a chat",
  signs: ["tanstack.ai."],
  kinds: [{ from: "tanstack.ai.iterations", means: { "*": OPERATION_INVOKE_AGENT } }],
  rows: [
    row(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, said, ATTR_GEN_AI_INPUT_MESSAGES, TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_RESULT, said, ATTR_GEN_AI_OUTPUT_MESSAGES, TOOL),
  ],
};
