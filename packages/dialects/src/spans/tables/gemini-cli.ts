import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  OPERATION_CHAT,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_AGENT,
} from "@thoughtflow/semconv";
import { ioRows, OPERATION_AGENT_STEP } from "../frames.ts";
import { answer, json, jsonAt, messages, row, text } from "../readers.ts";
import { SPAN_NAME, type SpanDialect } from "../span-dialect.ts";

const LLM = [OPERATION_CHAT];
const TOOL = [OPERATION_EXECUTE_TOOL];

export const geminiCli: SpanDialect = {
  name: "Gemini CLI",
  about:
    "Gemini CLI's development traces: first `input-json` and `output-json`, then GenAI names with operations of its own",
  signs: [],
  scopes: ["gemini-cli"],
  kinds: [
    {
      from: ATTR_GEN_AI_OPERATION_NAME,
      means: {
        llm_call: OPERATION_CHAT,
        tool_call: OPERATION_EXECUTE_TOOL,
        agent_call: OPERATION_INVOKE_AGENT,
        user_prompt: OPERATION_INVOKE_AGENT,
        system_prompt: OPERATION_AGENT_STEP,
        schedule_tool_calls: OPERATION_AGENT_STEP,
      },
    },
    {
      from: SPAN_NAME,
      means: {
        generatecontent: OPERATION_CHAT,
        generatecontentstream: OPERATION_CHAT,
        llm_call: OPERATION_CHAT,
        tool_call: OPERATION_EXECUTE_TOOL,
      },
    },
  ],
  rows: [
    row(ATTR_GEN_AI_INPUT_MESSAGES, messages("user"), "input-json", LLM),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, answer, ATTR_GEN_AI_OUTPUT_MESSAGES, LLM),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, answer, "output-json", LLM),
    row(ATTR_GEN_AI_TOOL_CALL_ID, text, "gen_ai.tool.call_id", TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, jsonAt("args"), ATTR_GEN_AI_INPUT_MESSAGES, TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, json, ["input-json", ATTR_GEN_AI_INPUT_MESSAGES], TOOL),
    row(
      ATTR_GEN_AI_TOOL_CALL_RESULT,
      jsonAt("response", "responseParts", 0, "functionResponse", "response"),
      ATTR_GEN_AI_OUTPUT_MESSAGES,
      TOOL,
    ),
    row(ATTR_GEN_AI_TOOL_CALL_RESULT, json, ["output-json", ATTR_GEN_AI_OUTPUT_MESSAGES], TOOL),
    ...ioRows(
      ["input-json", ATTR_GEN_AI_INPUT_MESSAGES],
      ["output-json", ATTR_GEN_AI_OUTPUT_MESSAGES],
    ),
  ],
};
