import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  isToolCallPart,
  OPERATION_CHAT,
} from "@thoughtflow/semconv";
import { toolCall } from "../any-part.ts";
import { OPERATION_AGENT_STEP } from "../frames.ts";
import { messagesIn, oneMessage } from "../messages-in.ts";
import type { Reader } from "../reader.ts";
import { messages, row } from "../readers.ts";
import { SPAN_NAME, type SpanDialect } from "../span-dialect.ts";

const LLM = [OPERATION_CHAT];

/** Answers, each a message; calls of tools stand beside the first in numbered attributes, one each, without ids. */
const answersWithCalls: Reader = {
  as: "messages, with the calls in `gen_ai.completion.0.function_call.*`",
  read(span, name) {
    const found = messagesIn(span.value(name), "assistant");
    const calls = span.list("gen_ai.completion").flatMap((entry) => {
      const called = entry.text("function_call.name");
      const args = entry.get("function_call.arguments");
      return toolCall({ name: called, arguments: args }) ?? [];
    });
    const [first, ...others] = found;
    const isTold = calls.length === 0 || found.some(({ parts }) => parts.some(isToolCallPart));
    const answers = isTold
      ? found
      : [oneMessage([...(first ? [first] : []), { role: "assistant", parts: calls }]), ...others];
    return answers.length > 0 ? JSON.stringify(answers) : undefined;
  },
};

export const liteLlm: SpanDialect = {
  name: "LiteLLM",
  about:
    "LiteLLM's own callback (`otel`): GenAI names, but calls of tools and ids of their outputs stand beside the parts of a message, and calls in answers have no ids",
  signs: [],
  scopes: ["litellm"],
  kinds: [{ from: SPAN_NAME, means: { raw_gen_ai_request: OPERATION_AGENT_STEP } }],
  rows: [
    row(ATTR_GEN_AI_INPUT_MESSAGES, messages("user"), ATTR_GEN_AI_INPUT_MESSAGES, LLM),
    row(ATTR_GEN_AI_OUTPUT_MESSAGES, answersWithCalls, ATTR_GEN_AI_OUTPUT_MESSAGES, LLM),
  ],
};
