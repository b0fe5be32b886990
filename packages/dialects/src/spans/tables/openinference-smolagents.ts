import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  OPERATION_CHAT,
  OPERATION_EXECUTE_TOOL,
} from "@thoughtflow/semconv";
import { row } from "../readers.ts";
import { smolagentsArguments, smolagentsMessages } from "../smolagents-messages.ts";
import type { SpanDialect } from "../span-dialect.ts";

export const openInferenceSmolagents: SpanDialect = {
  name: "smolagents through OpenInference",
  about:
    "OpenInference's instrumentation of smolagents, whose requests tell calls of tools and what these gave as words, in roles of their own",
  signs: [],
  scopes: ["openinference.instrumentation.smolagents"],
  kinds: [],
  rows: [
    row(ATTR_GEN_AI_INPUT_MESSAGES, smolagentsMessages, "llm.input_messages", [OPERATION_CHAT]),
    row(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, smolagentsArguments, "input.value", [
      OPERATION_EXECUTE_TOOL,
    ]),
  ],
};
