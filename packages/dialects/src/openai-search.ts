import {
  ATTR_GEN_AI_DATA_SOURCE_ID,
  ATTR_GEN_AI_RETRIEVAL_TOP_K,
  OPERATION_RETRIEVAL,
} from "@thoughtflow/semconv";
import { CALL_WITHOUT_HISTORY } from "./call-without-history.ts";
import { contentParts } from "./content-parts.ts";
import type { Dialect } from "./dialect.ts";
import { numberOf, present, propertiesOf, textOf } from "./unknown-values.ts";

/** `vectorStores.search`, with the store's id as `vector_store_id` of the request. */
export const openaiSearch: Dialect = {
  ...CALL_WITHOUT_HISTORY,
  name: "openai.search",
  operation: OPERATION_RETRIEVAL,
  inputItems: (request) => {
    const parts = contentParts(propertiesOf(request)["query"]);
    return parts.length === 0 ? [] : [{ role: "user", parts }];
  },
  outputMessages: () => [],
  requestAttributes: (value) => {
    const request = propertiesOf(value);
    return present<string | number>({
      [ATTR_GEN_AI_DATA_SOURCE_ID]: textOf(request["vector_store_id"]),
      [ATTR_GEN_AI_RETRIEVAL_TOP_K]: numberOf(request["max_num_results"]),
    });
  },
  responseAttributes: () => ({}),
};
