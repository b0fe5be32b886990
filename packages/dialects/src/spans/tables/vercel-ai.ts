import {
  ATTR_AI_OPERATION_ID,
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
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
  ATTR_SESSION_ID,
  ATTR_THOUGHTFLOW_STEP_STARTED,
  ATTR_USER_ID,
  OPERATION_CHAT,
  OPERATION_EMBEDDINGS,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_AGENT,
  OPERATION_INVOKE_WORKFLOW,
} from "@thoughtflow/semconv";
import { ioRows, OPERATION_RERANK } from "../frames.ts";
import {
  countAt,
  json,
  messages,
  payload,
  provider,
  row,
  secondsOfMilliseconds,
  text,
  texts,
  tokens,
} from "../readers.ts";
import type { SpanDialect } from "../span-dialect.ts";
import { definitions } from "../tool-definitions.ts";
import { vercelAnswer } from "../vercel-answer.ts";

const LLM = [OPERATION_CHAT];
const TOOL = [OPERATION_EXECUTE_TOOL];
const PROVIDER = "ai.response.providerMetadata";

export const vercelAi: SpanDialect = {
  name: "Vercel AI SDK",
  about:
    "`ai` 3.3 to 6 and `LegacyOpenTelemetry` of 7: `ai.*` names; the loop (`ai.generateText`) is an agent, the call inside (`….doGenerate`) the model call. What 7 sends by default are GenAI names, beside which options put these: sessions stand in its `runtimeContext`",
  signs: [ATTR_AI_OPERATION_ID, "ai.settings.context.", "ai.usage.", "ai.value", "ai.values"],
  kinds: [
    {
      from: ATTR_AI_OPERATION_ID,
      means: {
        "ai.generatetext": OPERATION_INVOKE_AGENT,
        "ai.streamtext": OPERATION_INVOKE_AGENT,
        "ai.generateobject": OPERATION_INVOKE_AGENT,
        "ai.streamobject": OPERATION_INVOKE_AGENT,
        "ai.generatetext.dogenerate": OPERATION_CHAT,
        "ai.streamtext.dostream": OPERATION_CHAT,
        "ai.generateobject.dogenerate": OPERATION_CHAT,
        "ai.streamobject.dostream": OPERATION_CHAT,
        "ai.toolcall": OPERATION_EXECUTE_TOOL,
        "ai.embed": OPERATION_INVOKE_WORKFLOW,
        "ai.embedmany": OPERATION_INVOKE_WORKFLOW,
        "ai.embed.doembed": OPERATION_EMBEDDINGS,
        "ai.embedmany.doembed": OPERATION_EMBEDDINGS,
        "ai.rerank": OPERATION_INVOKE_WORKFLOW,
        "ai.rerank.dorerank": OPERATION_RERANK,
      },
    },
  ],
  rows: [
    row(ATTR_SESSION_ID, text, [
      "ai.telemetry.metadata.sessionId",
      "ai.telemetry.metadata.session_id",
      "ai.telemetry.metadata.threadId",
      "ai.telemetry.metadata.chatId",
      "ai.settings.context.sessionId",
      "ai.settings.context.session_id",
      "ai.settings.context.threadId",
      "ai.settings.context.chatId",
    ]),
    row(ATTR_USER_ID, text, [
      "ai.telemetry.metadata.userId",
      "ai.telemetry.metadata.user_id",
      "ai.settings.context.userId",
      "ai.settings.context.user_id",
    ]),
    row(ATTR_GEN_AI_AGENT_NAME, text, "ai.telemetry.functionId"),
    row(ATTR_GEN_AI_PROVIDER_NAME, provider, "ai.model.provider"),
    row(ATTR_GEN_AI_REQUEST_MODEL, text, "ai.model.id"),
    row(ATTR_GEN_AI_RESPONSE_MODEL, text, "ai.response.model"),
    row(ATTR_GEN_AI_RESPONSE_ID, text, "ai.response.id"),
    row(ATTR_GEN_AI_RESPONSE_FINISH_REASONS, texts, [
      "ai.response.finishReason",
      "ai.finishReason",
    ]),
    row(
      ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
      secondsOfMilliseconds,
      "ai.response.msToFirstChunk",
      LLM,
    ),
    row(ATTR_GEN_AI_INPUT_MESSAGES, messages("user"), ["ai.prompt.messages", "ai.prompt"], LLM),
    vercelAnswer,
    row(ATTR_GEN_AI_TOOL_DEFINITIONS, definitions, "ai.prompt.tools", LLM),
    row(ATTR_GEN_AI_USAGE_INPUT_TOKENS, tokens, [
      "ai.usage.inputTokens",
      "ai.usage.promptTokens",
      "ai.usage.tokens",
    ]),
    row(ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, tokens, [
      "ai.usage.outputTokens",
      "ai.usage.completionTokens",
    ]),
    row(ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS, tokens, [
      "ai.usage.inputTokenDetails.cacheReadTokens",
      "ai.usage.cachedInputTokens",
    ]),
    row(
      ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
      countAt("openai", "cachedPromptTokens"),
      PROVIDER,
      LLM,
    ),
    row(
      ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
      tokens,
      "ai.usage.inputTokenDetails.cacheWriteTokens",
    ),
    row(ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS, tokens, [
      "ai.usage.outputTokenDetails.reasoningTokens",
      "ai.usage.reasoningTokens",
    ]),
    row(
      ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
      countAt("openai", "reasoningTokens"),
      PROVIDER,
      LLM,
    ),
    row(ATTR_GEN_AI_TOOL_NAME, text, "ai.toolCall.name", TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ID, text, "ai.toolCall.id", TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, json, "ai.toolCall.args", TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_RESULT, json, "ai.toolCall.result", TOOL),
    row(
      ATTR_THOUGHTFLOW_STEP_STARTED,
      payload("input"),
      ["ai.value", "ai.values"],
      [OPERATION_EMBEDDINGS],
    ),
    ...ioRows(["ai.prompt", "ai.value", "ai.values"], ["ai.response.text", "ai.response.object"]),
  ],
};
