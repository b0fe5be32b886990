import { ATTR_GEN_AI_CONVERSATION_ID, OPERATION_UPSERT_MEMORY } from "@thoughtflow/semconv";
import { CALL_WITHOUT_HISTORY } from "./call-without-history.ts";
import type { Dialect } from "./dialect.ts";
import { responsesItemMessage } from "./openai-responses-item.ts";
import { itemsOf, present, propertiesOf, textOf } from "./unknown-values.ts";

/**
 * `conversations.create` and `conversations.items.create`, with the id as `conversation` of the request: items that
 * later calls are given without sending them.
 */
export const openaiConversation: Dialect = {
  ...CALL_WITHOUT_HISTORY,
  name: "openai.conversation",
  operation: OPERATION_UPSERT_MEMORY,
  inputItems: (request) => itemsOf(propertiesOf(request)["items"]),
  messageOf: responsesItemMessage,
  outputMessages: () => [],
  requestAttributes: (request) =>
    present<string>({
      [ATTR_GEN_AI_CONVERSATION_ID]: textOf(propertiesOf(request)["conversation"]),
    }),
  responseAttributes: (value) => {
    const { object, id } = propertiesOf(value);
    return present<string>({
      [ATTR_GEN_AI_CONVERSATION_ID]: object === "conversation" ? textOf(id) : undefined,
    });
  },
};
