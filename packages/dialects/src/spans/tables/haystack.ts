import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
  ATTR_THOUGHTFLOW_STEP_COMPLETED,
  ATTR_THOUGHTFLOW_STEP_STARTED,
  OPERATION_CHAT,
  OPERATION_EMBEDDINGS,
  OPERATION_INVOKE_AGENT,
  OPERATION_INVOKE_WORKFLOW,
  OPERATION_RETRIEVAL,
} from "@thoughtflow/semconv";
import { ioRows, OPERATION_AGENT_STEP, OPERATION_MACHINERY, OPERATION_RERANK } from "../frames.ts";
import { answer, countAt, messages, payload, row, textAt, textsAt } from "../readers.ts";
import { SPAN_NAME, type SpanDialect, type SpanRow } from "../span-dialect.ts";
import { definitionsBeside } from "../tool-definitions.ts";

const INPUT = "haystack.component.input";
const OUTPUT = "haystack.component.output";
const LLM = [OPERATION_CHAT];

/** What an answer says of itself, of chat and of plain generators. */
const METAS = [
  ["replies", 0, "meta"],
  ["meta", 0],
] as const;

function metaRows(meta: readonly (string | number)[]): readonly SpanRow[] {
  const usage = [...meta, "usage"];
  return [
    row(ATTR_GEN_AI_RESPONSE_MODEL, textAt(...meta, "model"), OUTPUT, LLM),
    row(ATTR_GEN_AI_RESPONSE_FINISH_REASONS, textsAt(...meta, "finish_reason"), OUTPUT, LLM),
    row(ATTR_GEN_AI_USAGE_INPUT_TOKENS, countAt(...usage, "prompt_tokens"), OUTPUT, LLM),
    row(ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, countAt(...usage, "completion_tokens"), OUTPUT, LLM),
    row(
      ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
      countAt(...usage, "prompt_tokens_details", "cached_tokens"),
      OUTPUT,
      LLM,
    ),
    row(
      ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
      countAt(...usage, "completion_tokens_details", "reasoning_tokens"),
      OUTPUT,
      LLM,
    ),
  ];
}

export const haystack: SpanDialect = {
  name: "Haystack",
  about:
    "Haystack's own tracer (2): pipelines, agents and their components, told apart by the names of their classes. Content it sends with `HAYSTACK_CONTENT_TRACING_ENABLED=true`",
  signs: ["haystack."],
  nameFrom: { attribute: "haystack.component.name", inPlaceOf: /^haystack\.component\.run$/ },
  kinds: [
    {
      from: SPAN_NAME,
      means: {
        "haystack.pipeline.run": OPERATION_INVOKE_WORKFLOW,
        "haystack.agent.run": OPERATION_INVOKE_AGENT,
        "haystack.tracing.auto_enable": OPERATION_MACHINERY,
      },
    },
    {
      from: "haystack.component.type",
      means: {
        "*imagegenerator": OPERATION_AGENT_STEP,
        "*generator": OPERATION_CHAT,
        "*textembedder": OPERATION_EMBEDDINGS,
        "*documentembedder": OPERATION_EMBEDDINGS,
        "*retriever": OPERATION_RETRIEVAL,
        "*ranker": OPERATION_RERANK,
        "*": OPERATION_AGENT_STEP,
      },
    },
  ],
  rows: [
    ...METAS.flatMap(metaRows),
    row(ATTR_GEN_AI_TOOL_DEFINITIONS, definitionsBeside, INPUT, LLM),
    row(ATTR_GEN_AI_INPUT_MESSAGES, messages("user"), INPUT, LLM),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, answer, OUTPUT, LLM),
    row(ATTR_THOUGHTFLOW_STEP_STARTED, payload("args"), INPUT, [OPERATION_RETRIEVAL]),
    row(ATTR_THOUGHTFLOW_STEP_COMPLETED, payload("result"), OUTPUT, [OPERATION_RETRIEVAL]),
    row(ATTR_THOUGHTFLOW_STEP_STARTED, payload("input"), INPUT, [OPERATION_EMBEDDINGS]),
    ...ioRows(
      ["haystack.pipeline.input_data", "haystack.agent.input", INPUT],
      ["haystack.pipeline.output_data", "haystack.agent.output", OUTPUT],
    ),
  ],
};
