import {
  ATTR_GEN_AI_EMBEDDINGS_DIMENSION_COUNT,
  ATTR_GEN_AI_REQUEST_ENCODING_FORMATS,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_OPENAI_RESPONSE_EMBEDDINGS,
  OPERATION_EMBEDDINGS,
} from "@thoughtflow/semconv";
import { CALL_WITHOUT_HISTORY, textMessage } from "./call-without-history.ts";
import type { Dialect } from "./dialect.ts";
import { usageAttributes } from "./openai-usage.ts";
import { itemsOf, numberOf, present, propertiesOf, textOf } from "./unknown-values.ts";

/** `embeddings.create`: texts in; the vectors stay with the caller, only their length is told. */
export const openaiEmbeddings: Dialect = {
  ...CALL_WITHOUT_HISTORY,
  name: "openai.embeddings",
  operation: OPERATION_EMBEDDINGS,
  inputItems: (request) => {
    const { input } = propertiesOf(request);
    return typeof input === "string" ? [input] : itemsOf(input);
  },
  messageOf: (item) => textMessage("user", item),
  outputMessages: () => [],
  requestAttributes: (value) => {
    const request = propertiesOf(value);
    const format = textOf(request["encoding_format"]);
    return present<string | number | string[]>({
      [ATTR_GEN_AI_REQUEST_MODEL]: textOf(request["model"]),
      [ATTR_GEN_AI_REQUEST_ENCODING_FORMATS]: format === undefined ? undefined : [format],
      [ATTR_GEN_AI_EMBEDDINGS_DIMENSION_COUNT]: numberOf(request["dimensions"]),
    });
  },
  responseAttributes: (value) => {
    const response = propertiesOf(value);
    return {
      ...present<string | number>({
        [ATTR_GEN_AI_RESPONSE_MODEL]: textOf(response["model"]),
        [ATTR_GEN_AI_EMBEDDINGS_DIMENSION_COUNT]: dimensionsOf(itemsOf(response["data"])[0]),
        [ATTR_OPENAI_RESPONSE_EMBEDDINGS]: itemsOf(response["data"]).length || undefined,
      }),
      ...usageAttributes(response["usage"]),
    };
  },
};

/** Numbers in the vector; in base64 each is a 32-bit float. */
function dimensionsOf(item: unknown): number | undefined {
  const { embedding } = propertiesOf(item);
  if (typeof embedding === "string") {
    return Math.floor((embedding.replace(/=+$/, "").length * 3) / 4 / 4);
  }
  const { length } = propertiesOf(embedding);
  return numberOf(length);
}
