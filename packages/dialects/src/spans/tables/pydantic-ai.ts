import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  OPERATION_CHAT,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_AGENT,
} from "@thoughtflow/semconv";
import { eventLog } from "../event-log.ts";
import { ioRows } from "../frames.ts";
import { answer, json, messages, row, text } from "../readers.ts";
import type { SpanDialect } from "../span-dialect.ts";

const LLM = [OPERATION_CHAT];
const TOOL = [OPERATION_EXECUTE_TOOL];

export const pydanticAi: SpanDialect = {
  name: "pydantic-ai and Logfire",
  about:
    "pydantic-ai's own instrumentation, format versions 1 to 5 (from 3 on mostly GenAI names), and what Logfire makes of model SDKs; its pending spans are left out",
  signs: ["logfire."],
  scopes: ["pydantic-ai"],
  // Templates have their places in braces: `Agent run: {name!r}`.
  nameFrom: { attribute: "logfire.msg", inPlaceOf: /\{/ },
  kinds: [
    { from: "tool_arguments", means: { "*": OPERATION_EXECUTE_TOOL } },
    { from: "agent_name", means: { "*": OPERATION_INVOKE_AGENT } },
  ],
  rows: [
    row(ATTR_GEN_AI_AGENT_NAME, text, "agent_name"),
    row(ATTR_GEN_AI_REQUEST_MODEL, text, "model_name"),
    row(ATTR_GEN_AI_INPUT_MESSAGES, eventLog("input"), "events"),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, eventLog("output"), "events"),
    row(ATTR_GEN_AI_INPUT_MESSAGES, messages("user"), "request_data", LLM),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, answer, "response_data", LLM),
    row(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, json, "tool_arguments", TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_RESULT, json, "tool_response", TOOL),
    ...ioRows([], ["final_result"]),
  ],
};
