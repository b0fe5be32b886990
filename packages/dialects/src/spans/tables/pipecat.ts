import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_SESSION_ID,
  OPERATION_CHAT,
  OPERATION_INVOKE_AGENT,
  OPERATION_INVOKE_WORKFLOW,
} from "@thoughtflow/semconv";
import { OPERATION_AGENT_STEP } from "../frames.ts";
import { answer, messages, row, text } from "../readers.ts";
import { SPAN_NAME, type SpanDialect } from "../span-dialect.ts";
import { definitions } from "../tool-definitions.ts";

const LLM = [OPERATION_CHAT];

export const pipecat: SpanDialect = {
  name: "Pipecat",
  about:
    "Pipecat's own tracing: a `conversation` is a session, a `turn` an agent's, `llm` a model call in GenAI names with its messages beside them; speech in and out are steps",
  signs: [],
  scopes: ["pipecat", "pipecat.turn"],
  kinds: [
    {
      from: SPAN_NAME,
      means: {
        conversation: OPERATION_INVOKE_WORKFLOW,
        turn: OPERATION_INVOKE_AGENT,
        stt: OPERATION_AGENT_STEP,
        tts: OPERATION_AGENT_STEP,
      },
    },
  ],
  rows: [
    row(ATTR_SESSION_ID, text, "conversation.id"),
    row(ATTR_GEN_AI_INPUT_MESSAGES, messages("user"), "input", LLM),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, answer, "output", LLM),
    row(ATTR_GEN_AI_TOOL_DEFINITIONS, definitions, "tools", LLM),
  ],
};
