import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  OPERATION_CHAT,
} from "@thoughtflow/semconv";
import { openLitAnswer, openLitMessages } from "../openlit-messages.ts";
import { row } from "../readers.ts";
import type { SpanDialect } from "../span-dialect.ts";

const LLM = [OPERATION_CHAT];

export const openLit: SpanDialect = {
  name: "OpenLIT",
  about:
    "OpenLIT's SDK for Python (1.34): GenAI names, but all messages of a request as one text, and what an answer asks for as if the call were a tool",
  signs: [],
  scopes: ["openlit*"],
  kinds: [],
  rows: [
    row(ATTR_GEN_AI_INPUT_MESSAGES, openLitMessages, "gen_ai.prompt", LLM),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, openLitAnswer, "gen_ai.completion", LLM),
  ],
};
