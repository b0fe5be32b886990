import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_SESSION_ID,
  ATTR_THOUGHTFLOW_SESSION_TAGS,
  ATTR_USER_ID,
  OPERATION_CHAT,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_WORKFLOW,
} from "@thoughtflow/semconv";
import { ioRows, OPERATION_EVALUATE } from "../frames.ts";
import { answer, json, messages, row, spanName, text, texts } from "../readers.ts";
import { SPAN_NAME, type SpanDialect } from "../span-dialect.ts";

const INPUT = "lmnr.span.input";
const OUTPUT = "lmnr.span.output";
const LLM = [OPERATION_CHAT];
const TOOL = [OPERATION_EXECUTE_TOOL];

export const laminar: SpanDialect = {
  name: "Laminar",
  about:
    "Laminar's SDK for Python (0.8), which browser-use has its spans from: functions that are observed are spans of a type, with what they were given and gave as JSON; model calls have GenAI names",
  signs: ["lmnr."],
  kinds: [
    {
      from: "lmnr.span.type",
      means: {
        llm: OPERATION_CHAT,
        tool: OPERATION_EXECUTE_TOOL,
        default: OPERATION_INVOKE_WORKFLOW,
        executor: OPERATION_INVOKE_WORKFLOW,
        evaluation: OPERATION_EVALUATE,
        evaluator: OPERATION_EVALUATE,
      },
    },
  ],
  rows: [
    row(ATTR_SESSION_ID, text, "lmnr.association.properties.session_id"),
    row(ATTR_USER_ID, text, "lmnr.association.properties.user_id"),
    row(ATTR_THOUGHTFLOW_SESSION_TAGS, texts, "lmnr.association.properties.tags"),
    row(ATTR_GEN_AI_INPUT_MESSAGES, messages("user"), INPUT, LLM),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, answer, OUTPUT, LLM),
    row(ATTR_GEN_AI_TOOL_NAME, spanName, SPAN_NAME, TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, json, INPUT, TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_RESULT, json, OUTPUT, TOOL),
    ...ioRows([INPUT], [OUTPUT]),
  ],
};
