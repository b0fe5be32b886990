import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_THOUGHTFLOW_RUN_GOES_ON,
  OPERATION_CHAT,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_AGENT,
} from "@thoughtflow/semconv";
import { propertiesOf, textOf } from "../../unknown-values.ts";
import { ioRows, OPERATION_AGENT_STEP } from "../frames.ts";
import { messagesIn } from "../messages-in.ts";
import type { Reader } from "../reader.ts";
import { answer, json, jsonAt, messages, row, text, valueAt } from "../readers.ts";
import { SPAN_NAME, SPAN_STATUS, type SpanDialect } from "../span-dialect.ts";

const LLM = [OPERATION_CHAT];
const TOOL = [OPERATION_EXECUTE_TOOL];
const ANSWER = ["response", "responseParts", 0, "functionResponse", "response"] as const;

/** A root that the user has no part in: what runs tools, and a request that ends with what they gave. */
const isInTurn: Reader = {
  as: "whether it goes on with a turn: of what runs tools, and of calls that end with their outputs",
  isPart: true,
  read(span, name) {
    if (span.record.parentSpanId !== undefined) return undefined;
    if (span.get(name) === "schedule_tool_calls") return true;
    const last = messagesIn(span.value(ATTR_GEN_AI_INPUT_MESSAGES), "user").at(-1);
    const isOfTools = last?.parts.some(({ type }) => type === "tool_call_response");
    return span.get(name) === "llm_call" && isOfTools ? true : undefined;
  },
};

/** Why a tool failed, whose span is as well as another's. */
const failure: Reader = {
  as: "failed where its `status` is `error`, for the reason in it",
  isPart: true,
  read(span, name) {
    const value = span.value(name);
    if (propertiesOf(value)["status"] !== "error") return undefined;
    return textOf(propertiesOf(valueAt(value, ANSWER))["error"]) ?? "";
  },
};

export const geminiCli: SpanDialect = {
  name: "Gemini CLI",
  about:
    "Gemini CLI's development traces: first `input-json` and `output-json`, then GenAI names with operations of its own. Each part of a turn is a trace; they are one run",
  signs: [],
  scopes: ["gemini-cli"],
  kinds: [
    {
      from: ATTR_GEN_AI_OPERATION_NAME,
      means: {
        llm_call: OPERATION_CHAT,
        tool_call: OPERATION_EXECUTE_TOOL,
        agent_call: OPERATION_INVOKE_AGENT,
        user_prompt: OPERATION_INVOKE_AGENT,
        system_prompt: OPERATION_AGENT_STEP,
        schedule_tool_calls: OPERATION_AGENT_STEP,
      },
    },
    {
      from: SPAN_NAME,
      means: {
        generatecontent: OPERATION_CHAT,
        generatecontentstream: OPERATION_CHAT,
        llm_call: OPERATION_CHAT,
        tool_call: OPERATION_EXECUTE_TOOL,
      },
    },
  ],
  rows: [
    row(ATTR_THOUGHTFLOW_RUN_GOES_ON, isInTurn, ATTR_GEN_AI_OPERATION_NAME),
    row(ATTR_GEN_AI_INPUT_MESSAGES, messages("user"), "input-json", LLM),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, answer, ATTR_GEN_AI_OUTPUT_MESSAGES, LLM),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, answer, "output-json", LLM),
    row(ATTR_GEN_AI_TOOL_CALL_ID, text, "gen_ai.tool.call_id", TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, jsonAt("args"), ATTR_GEN_AI_INPUT_MESSAGES, TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, json, ["input-json", ATTR_GEN_AI_INPUT_MESSAGES], TOOL),
    row(SPAN_STATUS, failure, ATTR_GEN_AI_OUTPUT_MESSAGES, TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_RESULT, jsonAt(...ANSWER), ATTR_GEN_AI_OUTPUT_MESSAGES, TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_RESULT, json, ["output-json", ATTR_GEN_AI_OUTPUT_MESSAGES], TOOL),
    ...ioRows(
      ["input-json", ATTR_GEN_AI_INPUT_MESSAGES],
      ["output-json", ATTR_GEN_AI_OUTPUT_MESSAGES],
    ),
  ],
};
