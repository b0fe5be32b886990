import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_SESSION_ID,
  OPERATION_CHAT,
  OPERATION_EXECUTE_TOOL,
} from "@thoughtflow/semconv";
import { propertiesOf } from "../../unknown-values.ts";
import { OPERATION_AGENT_STEP } from "../frames.ts";
import type { Reader } from "../reader.ts";
import { answer, json, messages, row, text } from "../readers.ts";
import { SPAN_NAME, type SpanDialect } from "../span-dialect.ts";

const LLM = [OPERATION_CHAT];
const TOOL = [OPERATION_EXECUTE_TOOL];

/** ADK gives a call that the model gave no id one of its own, which no message has; a tool that failed may have none told. */
const idOfModel: Reader = {
  as: "text that is no id of ADK's own, `adk-…` or `<not specified>`",
  read(span, name) {
    const id = span.text(name);
    if (id?.startsWith("adk-") !== true && id !== "<not specified>") return id;
    span.said([name]);
    return undefined;
  },
};

/** Of a stream ADK for JavaScript tells the last piece alone, in which nothing may be said. */
const contentOfAnswer: Reader = {
  as: `${answer.as}, where it has any`,
  read(span, name) {
    if ("content" in propertiesOf(span.value(name))) return answer.read(span, name);
    span.said([name]);
    return undefined;
  },
};

const calledName: Reader = {
  as: "the span's name, after `execute_tool`",
  read: ({ record }) => /^execute_tool (?!\(merged\))(.+)$/.exec(record.name)?.[1],
};

export const googleAdk: SpanDialect = {
  name: "Google ADK",
  about: "Google's Agent Development Kit: requests and answers as JSON in `gcp.vertex.agent.*`",
  signs: ["gcp.vertex.agent."],
  // Of what failed nothing else is told.
  scopes: ["gcp.vertex.agent"],
  kinds: [
    {
      // The answers of tools that were called together, in one more span.
      from: SPAN_NAME,
      means: { "execute_tool (merged)": OPERATION_AGENT_STEP },
      overrules: true,
    },
    { from: "gcp.vertex.agent.tool_response", means: { "*": OPERATION_EXECUTE_TOOL } },
    {
      from: SPAN_NAME,
      means: { call_llm: OPERATION_CHAT, "execute_tool *": OPERATION_EXECUTE_TOOL },
    },
  ],
  rows: [
    row(ATTR_SESSION_ID, text, "gcp.vertex.agent.session_id"),
    row(ATTR_GEN_AI_INPUT_MESSAGES, messages("user"), "gcp.vertex.agent.llm_request", LLM),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, contentOfAnswer, "gcp.vertex.agent.llm_response", LLM),
    row(ATTR_GEN_AI_TOOL_NAME, calledName, SPAN_NAME, TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ID, idOfModel, ATTR_GEN_AI_TOOL_CALL_ID, TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, json, "gcp.vertex.agent.tool_call_args", TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_RESULT, json, "gcp.vertex.agent.tool_response", TOOL),
  ],
};
