import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
  ATTR_THOUGHTFLOW_STEP_COMPLETED,
  ATTR_THOUGHTFLOW_STEP_STARTED,
  OPERATION_CHAT,
  OPERATION_EMBEDDINGS,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_AGENT,
  OPERATION_INVOKE_WORKFLOW,
  OPERATION_RETRIEVAL,
} from "@thoughtflow/semconv";
import {
  ioRows,
  OPERATION_AGENT_STEP,
  OPERATION_EVALUATE,
  OPERATION_GUARDRAIL,
  OPERATION_RERANK,
} from "../frames.ts";
import { answerIdAt } from "../openinference-request.ts";
import {
  answer,
  countAt,
  memberCount,
  memberText,
  messages,
  payload,
  quotedText,
  row,
  spanName,
  textsAt,
} from "../readers.ts";
import { SPAN_NAME, type SpanDialect } from "../span-dialect.ts";
import { definitions, definitionsBeside } from "../tool-definitions.ts";
import { toolArguments, toolCallId, toolResult } from "../tool-io.ts";

const INPUT = "mlflow.spanInputs";
const OUTPUT = "mlflow.spanOutputs";
const USAGE = "mlflow.chat.tokenUsage";
const LLM = [OPERATION_CHAT];
const EMBEDDING = [OPERATION_EMBEDDINGS];
const TOOL = [OPERATION_EXECUTE_TOOL];

export const mlflow: SpanDialect = {
  name: "MLflow",
  about:
    "MLflow's tracing (3), sent over OTLP: every attribute is JSON, inputs and outputs are those of what was called. Sessions and users it keeps with the trace, which OTLP has no place for",
  signs: ["mlflow."],
  kinds: [
    {
      from: "mlflow.spanType",
      means: {
        '"chat_model"': OPERATION_CHAT,
        '"llm"': OPERATION_CHAT,
        '"embedding"': OPERATION_EMBEDDINGS,
        '"tool"': OPERATION_EXECUTE_TOOL,
        '"agent"': OPERATION_INVOKE_AGENT,
        '"chain"': OPERATION_INVOKE_WORKFLOW,
        '"workflow"': OPERATION_INVOKE_WORKFLOW,
        '"retriever"': OPERATION_RETRIEVAL,
        '"reranker"': OPERATION_RERANK,
        '"guardrail"': OPERATION_GUARDRAIL,
        '"evaluator"': OPERATION_EVALUATE,
        "*": OPERATION_AGENT_STEP,
      },
    },
  ],
  rows: [
    row(ATTR_GEN_AI_PROVIDER_NAME, quotedText, "mlflow.llm.provider"),
    row(ATTR_GEN_AI_REQUEST_MODEL, quotedText, "model", [...LLM, ...EMBEDDING]),
    row(ATTR_GEN_AI_REQUEST_MODEL, memberText("model", "model_name"), INPUT, LLM),
    row(ATTR_GEN_AI_RESPONSE_MODEL, quotedText, "mlflow.llm.model"),
    row(ATTR_GEN_AI_RESPONSE_ID, answerIdAt("id"), OUTPUT, LLM),
    row(ATTR_GEN_AI_RESPONSE_FINISH_REASONS, textsAt("choices", 0, "finish_reason"), OUTPUT, LLM),
    row(ATTR_GEN_AI_TOOL_DEFINITIONS, definitions, "mlflow.chat.tools", LLM),
    row(ATTR_GEN_AI_TOOL_DEFINITIONS, definitionsBeside, INPUT, LLM),
    row(ATTR_GEN_AI_USAGE_INPUT_TOKENS, memberCount("input_tokens"), USAGE),
    row(ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, memberCount("output_tokens"), USAGE),
    row(ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS, memberCount("cache_read_input_tokens"), USAGE),
    row(
      ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
      memberCount("cache_creation_input_tokens"),
      USAGE,
    ),
    row(
      ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
      countAt("usage", "completion_tokens_details", "reasoning_tokens"),
      OUTPUT,
      LLM,
    ),
    row(
      ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
      countAt("usage", "output_tokens_details", "reasoning_tokens"),
      OUTPUT,
      LLM,
    ),
    row(ATTR_GEN_AI_USAGE_INPUT_TOKENS, countAt("usage", "prompt_tokens"), OUTPUT, EMBEDDING),
    row(ATTR_GEN_AI_INPUT_MESSAGES, messages("user"), INPUT, LLM),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, answer, OUTPUT, LLM),
    row(ATTR_GEN_AI_TOOL_NAME, spanName, SPAN_NAME, TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ID, quotedText, "tool_call_id", TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ID, toolCallId, OUTPUT, TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, toolArguments, INPUT, TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_RESULT, toolResult, OUTPUT, TOOL),
    row(ATTR_THOUGHTFLOW_STEP_STARTED, payload("args"), INPUT, [OPERATION_RETRIEVAL]),
    row(ATTR_THOUGHTFLOW_STEP_COMPLETED, payload("result"), OUTPUT, [OPERATION_RETRIEVAL]),
    row(ATTR_THOUGHTFLOW_STEP_STARTED, payload("input"), INPUT, EMBEDDING),
    ...ioRows([INPUT], [OUTPUT]),
  ],
};
