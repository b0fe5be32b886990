import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_SESSION_ID,
  ATTR_USER_ID,
  OPERATION_CHAT,
  OPERATION_EXECUTE_TOOL,
  OPERATION_INVOKE_AGENT,
  OPERATION_INVOKE_WORKFLOW,
} from "@thoughtflow/semconv";
import { itemsOf, propertiesOf } from "../../unknown-values.ts";
import { anyMessages } from "../any-message.ts";
import { ioRows, OPERATION_AGENT_STEP, OPERATION_MACHINERY } from "../frames.ts";
import { messagesIn } from "../messages-in.ts";
import type { Reader } from "../reader.ts";
import { row, text } from "../readers.ts";
import type { SpanDialect } from "../span-dialect.ts";

const LLM = [OPERATION_CHAT];

/** What stands for a call of a tool, or for its output, in a request as Mastra tells it. */
const STAND_IN = /^\[tool(?:-result)?: .*\]$/s;

const request: Reader = {
  as: "messages, but for what stands for tools' calls and outputs",
  read(span, name) {
    const told = itemsOf(span.value(name)).filter((message) => {
      const { content } = propertiesOf(message);
      return !(typeof content === "string" && STAND_IN.test(content));
    });
    const messages = messagesIn(told, "user");
    return messages.length > 0 ? JSON.stringify(messages) : undefined;
  },
};

const stepAnswer: Reader = {
  as: "its `text` and `toolCalls`, as the answer",
  read(span, name) {
    const { text: content, toolCalls: calls } = propertiesOf(span.value(name));
    const messages = anyMessages({ role: "assistant", content, tool_calls: calls });
    return messages.length > 0 ? JSON.stringify(messages) : undefined;
  },
};

export const mastra: SpanDialect = {
  name: "Mastra",
  about:
    "Mastra's own spans (`@mastra/otel-exporter` 1): a step of the model tells what was said, the inference in it the tokens; chunks of answers are told in no step",
  signs: ["mastra."],
  kinds: [
    {
      from: "mastra.span.type",
      means: {
        agent_run: OPERATION_INVOKE_AGENT,
        workflow_run: OPERATION_INVOKE_WORKFLOW,
        workflow_step: OPERATION_AGENT_STEP,
        model_generation: OPERATION_AGENT_STEP,
        model_step: OPERATION_CHAT,
        model_inference: OPERATION_CHAT,
        model_chunk: OPERATION_MACHINERY,
        tool_call: OPERATION_EXECUTE_TOOL,
        mcp_tool_call: OPERATION_EXECUTE_TOOL,
      },
    },
  ],
  rows: [
    row(ATTR_SESSION_ID, text, ["mastra.metadata.sessionId", "mastra.metadata.threadId"]),
    row(ATTR_USER_ID, text, "mastra.metadata.userId"),
    row(ATTR_GEN_AI_INPUT_MESSAGES, request, "mastra.model_step.input", LLM),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, stepAnswer, "mastra.model_step.output", LLM),
    ...ioRows(
      ["mastra.agent_run.input", "mastra.workflow_run.input", "mastra.workflow_step.input"],
      ["mastra.agent_run.output", "mastra.workflow_run.output", "mastra.workflow_step.output"],
    ),
  ],
};
