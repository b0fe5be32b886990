import {
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_OPENAI_MODERATION_CATEGORIES,
  ATTR_OPENAI_MODERATION_FLAGGED,
  OPERATION_MODERATE,
} from "@thoughtflow/semconv";
import { CALL_WITHOUT_HISTORY } from "./call-without-history.ts";
import { contentParts } from "./content-parts.ts";
import type { Dialect } from "./dialect.ts";
import { itemsOf, present, propertiesOf, textOf } from "./unknown-values.ts";

/** `moderations.create`: words and pictures in; out comes what is wrong with them. */
export const openaiModerations: Dialect = {
  ...CALL_WITHOUT_HISTORY,
  name: "openai.moderations",
  operation: OPERATION_MODERATE,
  inputItems: (request) => {
    const parts = contentParts(propertiesOf(request)["input"]);
    return parts.length === 0 ? [] : [{ role: "user", parts }];
  },
  outputMessages: () => [],
  requestAttributes: (request) =>
    present<string>({ [ATTR_GEN_AI_REQUEST_MODEL]: textOf(propertiesOf(request)["model"]) }),
  responseAttributes: (value) => {
    const response = propertiesOf(value);
    const results = itemsOf(response["results"]).map(propertiesOf);
    const categories = results.flatMap((result) =>
      Object.entries(propertiesOf(result["categories"])).flatMap(([name, is]) =>
        is === true ? [name] : [],
      ),
    );
    return present<string | boolean | string[]>({
      [ATTR_GEN_AI_RESPONSE_ID]: textOf(response["id"]),
      [ATTR_GEN_AI_RESPONSE_MODEL]: textOf(response["model"]),
      [ATTR_OPENAI_MODERATION_FLAGGED]:
        results.length === 0 ? undefined : results.some((result) => result["flagged"] === true),
      [ATTR_OPENAI_MODERATION_CATEGORIES]:
        categories.length === 0 ? undefined : [...new Set(categories)].sort(),
    });
  },
};
