import {
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_REQUEST_REASONING_LEVEL,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
  ATTR_SESSION_ID,
  OPERATION_CHAT,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_AGENT,
} from "@thoughtflow/semconv";
import { textOf } from "../../unknown-values.ts";
import { OPERATION_MACHINERY } from "../frames.ts";
import type { Reader } from "../reader.ts";
import { row, text, tokens } from "../readers.ts";
import { SPAN_NAME, type SpanDialect } from "../span-dialect.ts";

const TOOL = [OPERATION_EXECUTE_TOOL];
const TOOL_RESULT = "codex.tool_result";

/** What the event at a tool's end says, which has its own name among its attributes. */
const ofToolResult: Reader = {
  as: "text of the event `codex.tool_result`",
  read({ record: { events } }, name) {
    const result = events.find(({ attributes }) => attributes["event.name"] === TOOL_RESULT);
    return textOf(result?.attributes[name]);
  },
};

export const codex: SpanDialect = {
  name: "Codex",
  about:
    "Codex CLI's traces: `session_task.turn` is a turn, `handle_responses` a model call; what else it traces of its own work is told in no step, but where it failed. What was said it sends as logs only",
  signs: ["codex."],
  scopes: ["codex_*", "codex-*"],
  kinds: [
    { from: "codex.usage.total_tokens", means: { "*": OPERATION_CHAT } },
    {
      from: SPAN_NAME,
      means: {
        "session_task.turn": OPERATION_INVOKE_AGENT,
        dispatch_tool_call: OPERATION_EXECUTE_TOOL,
        dispatch_tool_call_with_state: OPERATION_EXECUTE_TOOL,
      },
    },
    { from: "busy_ns", means: { "*": OPERATION_MACHINERY } },
  ],
  rows: [
    row(ATTR_SESSION_ID, text, ["conversation.id", "thread.id", "codex.thread.id"]),
    row(ATTR_GEN_AI_REQUEST_MODEL, text, ["model", "slug"]),
    row(ATTR_GEN_AI_REQUEST_REASONING_LEVEL, text, [
      "codex.request.reasoning_effort",
      "codex.turn.reasoning_effort",
    ]),
    row(ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS, tokens, "codex.usage.reasoning_output_tokens"),
    row(ATTR_GEN_AI_TOOL_NAME, text, "tool_name", TOOL),
    row(ATTR_GEN_AI_TOOL_NAME, ofToolResult, "tool_name", TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ID, text, "call_id", TOOL),
    row(ATTR_GEN_AI_TOOL_CALL_ID, ofToolResult, "call_id", TOOL),
  ],
};
