import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  OPERATION_CHAT,
} from "@thoughtflow/semconv";
import { answerIdAt } from "../openinference-request.ts";
import { answer, messages, row, textAt } from "../readers.ts";
import type { SpanDialect } from "../span-dialect.ts";

const LLM = [OPERATION_CHAT];
const MESSAGE = ["generations", 0, 0, "message", "kwargs"] as const;

export const openInferenceLangChain: SpanDialect = {
  name: "LangChain.js through OpenInference",
  about:
    "OpenInference's instrumentation of LangChain.js flattens messages without the ids of calls, and without instructions in parts; what it was made from stands beside that",
  signs: [],
  scopes: ["@arizeai/openinference-instrumentation-langchain*"],
  kinds: [],
  rows: [
    row(ATTR_GEN_AI_INPUT_MESSAGES, messages("user"), "input.value", LLM),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, answer, "output.value", LLM),
    row(ATTR_GEN_AI_RESPONSE_ID, answerIdAt(...MESSAGE, "id"), "output.value", LLM),
    row(
      ATTR_GEN_AI_RESPONSE_MODEL,
      textAt(...MESSAGE, "response_metadata", "model_name"),
      "output.value",
      LLM,
    ),
  ],
};
