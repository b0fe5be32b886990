import type { GenAiPart } from "@thoughtflow/semconv";
import {
  ATTR_GEN_AI_OUTPUT_TYPE,
  ATTR_GEN_AI_RESPONSE_MODEL,
  OPERATION_GENERATE_CONTENT,
} from "@thoughtflow/semconv";
import { CALL_WITHOUT_HISTORY } from "./call-without-history.ts";
import type { Dialect } from "./dialect.ts";
import { requestAttributes } from "./openai-request-attributes.ts";
import { openaiResponses } from "./openai-responses.ts";
import { usageAttributes } from "./openai-usage.ts";
import { itemsOf, present, propertiesOf, textOf } from "./unknown-values.ts";

/** `decisions.create`: questions about an input of Responses items; each answer is a part of its own. */
export const openaiDecisions: Dialect = {
  ...CALL_WITHOUT_HISTORY,
  name: "openai.decisions",
  operation: OPERATION_GENERATE_CONTENT,
  inputItems: openaiResponses.inputItems,
  messageOf: openaiResponses.messageOf,
  systemInstructions: (request) =>
    itemsOf(propertiesOf(request)["questions"]).map(asPart("question")),
  outputMessages: (response) => {
    const parts = itemsOf(propertiesOf(response)["answers"]).map(asPart("answer"));
    return parts.length === 0 ? [] : [{ role: "assistant", parts }];
  },
  requestAttributes: (request) => ({
    ...requestAttributes(request),
    [ATTR_GEN_AI_OUTPUT_TYPE]: "json",
  }),
  responseAttributes: (value) => {
    const response = propertiesOf(value);
    return {
      ...present<string>({ [ATTR_GEN_AI_RESPONSE_MODEL]: textOf(response["model"]) }),
      ...usageAttributes(response["usage"]),
    };
  },
};

function asPart(type: string): (item: unknown) => GenAiPart {
  return (item) => ({ type, content: JSON.stringify(item) ?? "" });
}
