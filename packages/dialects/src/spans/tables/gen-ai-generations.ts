import {
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID,
  ATTR_GEN_AI_REQUEST_SEED,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_SYSTEM,
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
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
  ATTR_OPENAI_REQUEST_SERVICE_TIER,
  ATTR_OPENAI_RESPONSE_SERVICE_TIER,
  ATTR_OPENAI_RESPONSE_SYSTEM_FINGERPRINT,
  ATTR_THOUGHTFLOW_STEP_COMPLETED,
  ATTR_THOUGHTFLOW_STEP_STARTED,
  OPERATION_CHAT,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_AGENT,
  OPERATION_INVOKE_WORKFLOW,
  OPERATION_RETRIEVAL,
} from "@thoughtflow/semconv";
import { eventMember, spanEvents } from "../event-log.ts";
import { OPERATION_AGENT_STEP, OPERATION_GUARDRAIL, OPERATION_HANDOFF } from "../frames.ts";
import { membersPayload } from "../members-payload.ts";
import type { Reader } from "../reader.ts";
import {
  answer,
  json,
  messages,
  number,
  payload,
  provider,
  responseId,
  row,
  text,
  texts,
  tokens,
} from "../readers.ts";
import type { SpanDialect } from "../span-dialect.ts";

const TOOL = [OPERATION_EXECUTE_TOOL];

/** Semantic Kernel writes Python's name of the reason: `FinishReason.TOOL_CALLS`. */
const finishReasons: Reader = {
  as: "list of texts, also as Python prints them",
  read(span, attribute) {
    const reasons = texts.read(span, attribute);
    if (!Array.isArray(reasons)) return undefined;
    return reasons.map(
      (one) => /^FinishReason\.(\w+)$/.exec(String(one))?.[1]?.toLowerCase() ?? String(one),
    );
  },
};
const DETAILS = "gen_ai.client.inference.operation.details";

/**
 * The conventions' own older generations, core 1.26 to 1.41, and the freedoms that emitters of today's take. An attribute that
 * stands first in its own row is read anew: numbers that travelled as text, lists that travelled as JSON.
 */
export const genAiGenerations: SpanDialect = {
  name: "GenAI, older generations",
  about:
    "OpenTelemetry's GenAI conventions from core 1.26 on, in every language, Microsoft's and AWS's agents, Strands, Koog, and the spans of Anthropic's SDKs and API, which follow today's names",
  signs: ["gen_ai."],
  kinds: [
    {
      from: ATTR_GEN_AI_OPERATION_NAME,
      means: {
        completion: OPERATION_CHAT,
        generate: OPERATION_CHAT,
        "chat.completions": OPERATION_CHAT,
        handle_conversation_turn: OPERATION_INVOKE_AGENT,
        plan: OPERATION_AGENT_STEP,
        execute_event_loop_cycle: OPERATION_AGENT_STEP,
        execute_node: OPERATION_AGENT_STEP,
        invoke_graph: OPERATION_INVOKE_WORKFLOW,
        invoke_swarm: OPERATION_INVOKE_WORKFLOW,
        agent_handoff: OPERATION_HANDOFF,
        guardrail_check: OPERATION_GUARDRAIL,
      },
    },
    { from: ATTR_GEN_AI_TOOL_NAME, means: { "*": OPERATION_EXECUTE_TOOL } },
    { from: ATTR_GEN_AI_REQUEST_MODEL, means: { "*": OPERATION_CHAT } },
    { from: "koog.node.name", means: { "*": OPERATION_AGENT_STEP } },
    { from: "agent_loop.cycle_id", means: { "*": OPERATION_AGENT_STEP } },
  ],
  rows: [
    row(ATTR_GEN_AI_PROVIDER_NAME, provider, [ATTR_GEN_AI_PROVIDER_NAME, ATTR_GEN_AI_SYSTEM]),
    row(ATTR_GEN_AI_USAGE_INPUT_TOKENS, tokens, [
      ATTR_GEN_AI_USAGE_INPUT_TOKENS,
      "gen_ai.usage.prompt_tokens",
    ]),
    row(ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, tokens, [
      ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
      "gen_ai.usage.completion_tokens",
    ]),
    row(ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS, tokens, [
      ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
      "gen_ai.usage.cache_read_input_tokens",
      "gen_ai.usage.details.cache_read_tokens",
      "gen_ai.usage.details.cached_tokens",
    ]),
    row(ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS, tokens, [
      ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
      "gen_ai.usage.cache_creation.input_tokens",
      "gen_ai.usage.cache_creation_input_tokens",
      "gen_ai.usage.cache_write_input_tokens",
      "gen_ai.usage.details.cache_write_tokens",
    ]),
    row(ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS, tokens, [
      ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
      "gen_ai.usage.reasoning_tokens",
      "gen_ai.usage.details.reasoning_tokens",
      "gen_ai.usage.output_tokens.reasoning",
    ]),
    row(ATTR_GEN_AI_REQUEST_SEED, number, "gen_ai.openai.request.seed"),
    row(ATTR_OPENAI_REQUEST_SERVICE_TIER, text, "gen_ai.openai.request.service_tier"),
    row(ATTR_OPENAI_RESPONSE_SERVICE_TIER, text, "gen_ai.openai.response.service_tier"),
    row(ATTR_OPENAI_RESPONSE_SYSTEM_FINGERPRINT, text, "gen_ai.openai.response.system_fingerprint"),
    row(ATTR_GEN_AI_RESPONSE_FINISH_REASONS, finishReasons, [
      ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
      "gen_ai.response.finish_reason",
    ]),
    row(ATTR_GEN_AI_INPUT_MESSAGES, messages("user"), ["gen_ai.prompt", "gen_ai.request.messages"]),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, answer, ["gen_ai.completion", "gen_ai.response.text"]),
    row(ATTR_GEN_AI_INPUT_MESSAGES, spanEvents("input"), [
      "gen_ai.{system,user,assistant,tool}.message",
      "gen_ai.content.prompt",
      DETAILS,
    ]),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, spanEvents("output"), [
      "gen_ai.content.completion",
      "gen_ai.choice",
      DETAILS,
    ]),
    row(ATTR_GEN_AI_SYSTEM_INSTRUCTIONS, eventMember("gen_ai.system_instructions"), DETAILS),
    row(ATTR_GEN_AI_TOOL_DEFINITIONS, eventMember("gen_ai.tool.definitions"), DETAILS),
    row(ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID, responseId, ATTR_GEN_AI_CONVERSATION_ID),
    row(ATTR_GEN_AI_TOOL_CALL_ID, text, ["gen_ai.tool.call_id", "gen_ai.tool_call.id"], TOOL),
    row(
      ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
      json,
      ["gen_ai.tool.arguments", "gen_ai.tool.input", "input.value"],
      TOOL,
    ),
    row(
      ATTR_GEN_AI_TOOL_CALL_RESULT,
      json,
      ["gen_ai.tool.output", "gen_ai.tool.message", "output.value"],
      TOOL,
    ),
    row(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, eventMember("content"), "gen_ai.tool.message", TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_RESULT, eventMember("message"), "gen_ai.choice", TOOL),
    membersPayload(
      ATTR_THOUGHTFLOW_STEP_STARTED,
      "args",
      { from_agent: "gen_ai.handoff.from_agent", to_agent: "gen_ai.handoff.to_agent" },
      [OPERATION_HANDOFF],
    ),
    row(ATTR_THOUGHTFLOW_STEP_STARTED, payload("args"), "gen_ai.retrieval.query.text", [
      OPERATION_RETRIEVAL,
    ]),
    row(ATTR_THOUGHTFLOW_STEP_COMPLETED, payload("result"), "gen_ai.retrieval.documents", [
      OPERATION_RETRIEVAL,
    ]),
  ],
};
