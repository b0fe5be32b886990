import {
  ATTR_GEN_AI_AGENT_ID,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  OPERATION_CHAT,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_AGENT,
} from "@thoughtflow/semconv";
import { ioRows, OPERATION_AGENT_STEP, OPERATION_APPROVAL } from "../frames.ts";
import {
  answer,
  json,
  provider,
  row,
  secondsOfMilliseconds,
  sumRow,
  text,
  texts,
  tokens,
} from "../readers.ts";
import { SPAN_NAME, type SpanDialect } from "../span-dialect.ts";

const TOOL = [OPERATION_EXECUTE_TOOL];

export const claudeCode: SpanDialect = {
  name: "Claude Code",
  about:
    "Claude Code's traces (beta, 2.1): `claude_code.*` spans told apart by `span.type`. Its input tokens exclude the cached; what the model said it sends as logs only",
  signs: [],
  scopes: ["com.anthropic.claude_code*", "claude_code*", "claude-code*"],
  kinds: [
    {
      from: "span.type",
      means: {
        interaction: OPERATION_INVOKE_AGENT,
        llm_request: OPERATION_CHAT,
        tool: OPERATION_EXECUTE_TOOL,
        "tool.execution": OPERATION_AGENT_STEP,
        "tool.blocked_on_user": OPERATION_APPROVAL,
        hook: OPERATION_AGENT_STEP,
      },
    },
    {
      from: SPAN_NAME,
      means: {
        "claude_code.interaction": OPERATION_INVOKE_AGENT,
        "claude_code.llm_request": OPERATION_CHAT,
        "claude_code.tool": OPERATION_EXECUTE_TOOL,
        "claude_code.tool.execution": OPERATION_AGENT_STEP,
        "claude_code.tool.blocked_on_user": OPERATION_APPROVAL,
        "claude_code.hook": OPERATION_AGENT_STEP,
      },
    },
  ],
  rows: [
    row(ATTR_GEN_AI_PROVIDER_NAME, provider, "gen_ai.system"),
    row(ATTR_GEN_AI_REQUEST_MODEL, text, "model"),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, answer, "response.model_output", [OPERATION_CHAT]),
    row(ATTR_GEN_AI_RESPONSE_FINISH_REASONS, texts, "stop_reason"),
    row(ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK, secondsOfMilliseconds, "ttft_ms"),
    sumRow(ATTR_GEN_AI_USAGE_INPUT_TOKENS, [
      "input_tokens",
      "cache_read_tokens",
      "cache_creation_tokens",
    ]),
    row(ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, tokens, "output_tokens"),
    row(ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS, tokens, "cache_read_tokens"),
    row(ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS, tokens, "cache_creation_tokens"),
    row(ATTR_GEN_AI_AGENT_ID, text, "agent_id"),
    row(ATTR_GEN_AI_TOOL_NAME, text, "tool_name", TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ID, text, "tool_use_id", TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, json, "tool_input", TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_RESULT, json, "tool_output", TOOL),
    ...ioRows(["user_prompt"], []),
  ],
};
