import { ATTR_GEN_AI_RESPONSE_FINISH_REASONS } from "@thoughtflow/semconv";
import type { Dialect } from "./dialect.ts";
import { openaiResponses } from "./openai-responses.ts";
import { itemsOf, propertiesOf } from "./unknown-values.ts";

/**
 * `responses.compact`: a conversation in, the same one shorter out. Of the answer only what is new is the model's:
 * the messages that it keeps are the caller's own.
 */
export const openaiCompaction: Dialect = {
  ...openaiResponses,
  name: "openai.compaction",
  outputMessages: (response) =>
    openaiResponses.outputMessages({ output: compactedItems(response) }),
  responseAttributes: (response) => ({
    ...openaiResponses.responseAttributes(response),
    ...(compactedItems(response).length > 0 && {
      [ATTR_GEN_AI_RESPONSE_FINISH_REASONS]: ["compaction"],
    }),
  }),
};

function compactedItems(response: unknown): readonly unknown[] {
  return itemsOf(propertiesOf(response)["output"]).filter(
    (item) => propertiesOf(item)["type"] === "compaction",
  );
}
