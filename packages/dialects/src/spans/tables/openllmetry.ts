import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
  ATTR_GEN_AI_WORKFLOW_NAME,
  ATTR_LLM_REQUEST_TYPE,
  ATTR_SESSION_ID,
  ATTR_USER_ID,
  OPERATION_CHAT,
  OPERATION_EMBEDDINGS,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_AGENT,
  OPERATION_INVOKE_WORKFLOW,
  OPERATION_TEXT_COMPLETION,
} from "@thoughtflow/semconv";
import { flatFunctions } from "../flat-readers.ts";
import { ioRows, OPERATION_AGENT_STEP, OPERATION_RERANK } from "../frames.ts";
import { openLLMetryMessages } from "../openllmetry-messages.ts";
import { row, text, texts, tokens } from "../readers.ts";
import type { SpanDialect } from "../span-dialect.ts";
import { toolArguments, toolCallId, toolResult } from "../tool-io.ts";

const TOOL = [OPERATION_EXECUTE_TOOL];
const INPUT = ["traceloop.entity.input", "gen_ai.task.input"];
const OUTPUT = ["traceloop.entity.output", "gen_ai.task.output"];

export const openLLMetry: SpanDialect = {
  name: "OpenLLMetry",
  about:
    "Traceloop's SDKs and instrumentations up to semconv-ai 0.5, and who copies them (Koog, OpenLIT in part): numbered `gen_ai.prompt.*`, `traceloop.*`, `llm.*`",
  signs: [
    "traceloop.",
    ATTR_LLM_REQUEST_TYPE,
    "llm.usage.",
    "llm.request.functions.",
    "gen_ai.prompt.0.",
    "gen_ai.completion.0.",
  ],
  kinds: [
    {
      from: ATTR_LLM_REQUEST_TYPE,
      means: {
        chat: OPERATION_CHAT,
        completion: OPERATION_TEXT_COMPLETION,
        embedding: OPERATION_EMBEDDINGS,
        rerank: OPERATION_RERANK,
      },
    },
    {
      from: "traceloop.span.kind",
      means: {
        workflow: OPERATION_INVOKE_WORKFLOW,
        task: OPERATION_AGENT_STEP,
        agent: OPERATION_INVOKE_AGENT,
        tool: OPERATION_EXECUTE_TOOL,
      },
    },
  ],
  rows: [
    row(ATTR_SESSION_ID, text, [
      "traceloop.association.properties.session_id",
      "traceloop.association.properties.chat_id",
      "traceloop.association.properties.thread_id",
      "traceloop.association.properties.conversation_id",
    ]),
    row(ATTR_USER_ID, text, "traceloop.association.properties.user_id"),
    row(ATTR_GEN_AI_WORKFLOW_NAME, text, "traceloop.workflow.name", [OPERATION_INVOKE_WORKFLOW]),
    row(ATTR_GEN_AI_AGENT_NAME, text, "traceloop.entity.name", [OPERATION_INVOKE_AGENT]),
    row(ATTR_GEN_AI_INPUT_MESSAGES, openLLMetryMessages("user"), "gen_ai.prompt"),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, openLLMetryMessages("assistant"), "gen_ai.completion"),
    row(ATTR_GEN_AI_TOOL_DEFINITIONS, flatFunctions, "llm.request.functions"),
    row(ATTR_GEN_AI_RESPONSE_FINISH_REASONS, texts, [
      "gen_ai.response.finish_reason",
      "gen_ai.completion.0.finish_reason",
      "llm.response.finish_reason",
      "llm.response.stop_reason",
    ]),
    row(ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS, tokens, "gen_ai.usage.cache_read_input_tokens"),
    row(
      ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
      tokens,
      "gen_ai.usage.cache_creation_input_tokens",
    ),
    row(ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS, tokens, "gen_ai.usage.reasoning_tokens"),
    row(ATTR_GEN_AI_TOOL_NAME, text, "traceloop.entity.name", TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ID, toolCallId, [...INPUT, ...OUTPUT], TOOL),
    row(
      ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
      toolArguments,
      [ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, ...INPUT],
      TOOL,
    ),
    row(ATTR_GEN_AI_TOOL_CALL_RESULT, toolResult, [ATTR_GEN_AI_TOOL_CALL_RESULT, ...OUTPUT], TOOL),
    ...ioRows(INPUT, OUTPUT),
  ],
};
