import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
  ATTR_SESSION_ID,
  ATTR_THOUGHTFLOW_STEP_COMPLETED,
  ATTR_THOUGHTFLOW_STEP_STARTED,
  OPERATION_CHAT,
  OPERATION_EMBEDDINGS,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_WORKFLOW,
  OPERATION_RETRIEVAL,
} from "@thoughtflow/semconv";
import { propertiesOf } from "../../unknown-values.ts";
import { ioRows, OPERATION_AGENT_STEP, OPERATION_EVALUATE, OPERATION_RERANK } from "../frames.ts";
import { answerIdAt } from "../openinference-request.ts";
import type { Reader } from "../reader.ts";
import {
  answer,
  countAt,
  countOf,
  json,
  messages,
  modelInName,
  payload,
  providerInName,
  row,
  text,
  textAt,
  textsAt,
} from "../readers.ts";
import type { SpanDialect } from "../span-dialect.ts";
import { definitionsBeside } from "../tool-definitions.ts";

const NAME = "genkit:name";
const INPUT = "genkit:input";
const OUTPUT = "genkit:output";
const LLM = [OPERATION_CHAT];
const TOOL = [OPERATION_EXECUTE_TOOL];
const MODELS = [OPERATION_CHAT, OPERATION_EMBEDDINGS];

/** Gemini counts thoughts beside the output: the total tells. */
const outputTokens: Reader = {
  as: "tokens in its `usage.outputTokens`; with `thoughtsTokens` where the total has them beside",
  isPart: true,
  read(span, name) {
    const usage = propertiesOf(propertiesOf(span.value(name))["usage"]);
    const [input = 0, output, thoughts = 0, total] = [
      "inputTokens",
      "outputTokens",
      "thoughtsTokens",
      "totalTokens",
    ].map((key) => countOf(usage[key]));
    if (output === undefined) return undefined;
    return total === input + output + thoughts ? output + thoughts : output;
  },
};

export const genkit: SpanDialect = {
  name: "Genkit",
  about:
    "Genkit's own traces: flows, models, tools, embedders and retrievers are actions with their input and output as JSON; around those of one `generate` stands a step",
  signs: ["genkit:type"],
  scopes: ["genkit-tracer"],
  kinds: [
    {
      from: "genkit:metadata:subtype",
      means: {
        model: OPERATION_CHAT,
        tool: OPERATION_EXECUTE_TOOL,
        embedder: OPERATION_EMBEDDINGS,
        retriever: OPERATION_RETRIEVAL,
        reranker: OPERATION_RERANK,
        evaluator: OPERATION_EVALUATE,
        flow: OPERATION_INVOKE_WORKFLOW,
      },
    },
    { from: "genkit:type", means: { "*": OPERATION_AGENT_STEP } },
  ],
  rows: [
    row(ATTR_SESSION_ID, text, ["genkit:sessionId", "genkit:metadata:sessionId"]),
    row(ATTR_GEN_AI_PROVIDER_NAME, providerInName, NAME, MODELS),
    row(ATTR_GEN_AI_REQUEST_MODEL, modelInName, NAME, MODELS),
    row(ATTR_GEN_AI_INPUT_MESSAGES, messages("user"), INPUT, LLM),
    row(ATTR_GEN_AI_TOOL_DEFINITIONS, definitionsBeside, INPUT, LLM),
    row(ATTR_GEN_AI_RESPONSE_ID, answerIdAt("raw", "id"), OUTPUT, LLM),
    row(ATTR_GEN_AI_RESPONSE_MODEL, textAt("raw", "model"), OUTPUT, LLM),
    row(ATTR_GEN_AI_RESPONSE_FINISH_REASONS, textsAt("finishReason"), OUTPUT, LLM),
    row(ATTR_GEN_AI_USAGE_INPUT_TOKENS, countAt("usage", "inputTokens"), OUTPUT, LLM),
    row(ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, outputTokens, OUTPUT, LLM),
    row(
      ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
      countAt("usage", "cachedContentTokens"),
      OUTPUT,
      LLM,
    ),
    row(ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS, countAt("usage", "thoughtsTokens"), OUTPUT, LLM),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, answer, OUTPUT, LLM),
    row(ATTR_GEN_AI_TOOL_NAME, text, NAME, TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, json, INPUT, TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_RESULT, json, OUTPUT, TOOL),
    row(ATTR_THOUGHTFLOW_STEP_STARTED, payload("args"), INPUT, [OPERATION_RETRIEVAL]),
    row(ATTR_THOUGHTFLOW_STEP_COMPLETED, payload("result"), OUTPUT, [OPERATION_RETRIEVAL]),
    row(ATTR_THOUGHTFLOW_STEP_STARTED, payload("input"), INPUT, [OPERATION_EMBEDDINGS]),
    ...ioRows([INPUT], [OUTPUT]),
  ],
};
