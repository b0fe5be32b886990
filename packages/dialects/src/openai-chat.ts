import { ATTR_OPENAI_API_TYPE, OPERATION_CHAT } from "@thoughtflow/semconv";
import type { Dialect } from "./dialect.ts";
import { createChatFold } from "./openai-chat-fold.ts";
import { chatMessageOf } from "./openai-chat-message.ts";
import { choicesAttributes, choicesOf } from "./openai-choices.ts";
import type { Failure } from "./openai-failure.ts";
import { failureFrom, failureInBody } from "./openai-failure.ts";
import { outputSchemaOf, requestAttributes } from "./openai-request-attributes.ts";
import { toolDefinitionsOf } from "./openai-tool-definitions.ts";
import { itemsOf, propertiesOf } from "./unknown-values.ts";

/** `chat.completions.create` of OpenAI and of the many servers that speak like it. */
export const openaiChat: Dialect = {
  name: "openai.chat",
  operation: OPERATION_CHAT,
  inputItems: (request) => itemsOf(propertiesOf(request)["messages"]),
  messageOf: chatMessageOf,
  systemInstructions: () => [],
  toolDefinitions: toolDefinitionsOf,
  outputSchema: outputSchemaOf,
  outputMessages: (response) =>
    choicesOf(response).map(
      (choice) => chatMessageOf(choice["message"]) ?? { role: "assistant", parts: [] },
    ),
  requestAttributes: (request) => {
    const attributes = requestAttributes(request);
    attributes[ATTR_OPENAI_API_TYPE] = "chat_completions";
    return attributes;
  },
  responseAttributes: choicesAttributes,
  failureOf: (response) => failureInBody(response) ?? failureInChoices(choicesOf(response)),
  createFold: createChatFold,
};

/** Gateways say in a choice that the provider behind them failed: the caller has half an answer and no exception. */
function failureInChoices(choices: ReturnType<typeof choicesOf>): Failure | undefined {
  for (const { error, finish_reason: reason } of choices) {
    const failure = failureFrom(error) ?? (reason === "error" ? { type: reason } : undefined);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
