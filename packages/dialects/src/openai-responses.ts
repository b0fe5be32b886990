import type { GenAiMessage } from "@thoughtflow/semconv";
import {
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_RESPONSE_STATUS,
  ATTR_OPENAI_API_TYPE,
  ATTR_OPENAI_RESPONSE_LOGPROBS,
  ATTR_OPENAI_RESPONSE_SERVICE_TIER,
  OPERATION_CHAT,
} from "@thoughtflow/semconv";
import { contentParts } from "./content-parts.ts";
import type { Dialect } from "./dialect.ts";
import { finishReasonOfStatus } from "./finish-reason.ts";
import { failureFrom } from "./openai-failure.ts";
import { outputSchemaOf, requestAttributes } from "./openai-request-attributes.ts";
import { createResponsesFold } from "./openai-responses-fold.ts";
import { responsesItemMessage } from "./openai-responses-item.ts";
import { toolDefinitionsOf } from "./openai-tool-definitions.ts";
import { usageAttributes } from "./openai-usage.ts";
import { itemsOf, present, propertiesOf, textOf } from "./unknown-values.ts";

/** `responses.create`. The answer's items are one message, its items in order. */
export const openaiResponses: Dialect = {
  name: "openai.responses",
  operation: OPERATION_CHAT,
  inputItems: (request) => {
    const { input } = propertiesOf(request);
    return typeof input === "string" ? [{ role: "user", content: input }] : itemsOf(input);
  },
  messageOf: responsesItemMessage,
  systemInstructions: (request) => contentParts(propertiesOf(request)["instructions"]),
  toolDefinitions: toolDefinitionsOf,
  outputSchema: outputSchemaOf,
  outputMessages: (response) => {
    const message = answerMessage(response);
    return message === undefined ? [] : [message];
  },
  requestAttributes: (request) => {
    const attributes = requestAttributes(request);
    attributes[ATTR_OPENAI_API_TYPE] = "responses";
    return attributes;
  },
  responseAttributes: (value) => {
    const response = propertiesOf(value);
    return {
      ...present<string | number>({
        [ATTR_GEN_AI_RESPONSE_ID]: textOf(response["id"]),
        [ATTR_GEN_AI_RESPONSE_MODEL]: textOf(response["model"]),
        [ATTR_GEN_AI_RESPONSE_STATUS]: textOf(response["status"]),
        [ATTR_OPENAI_RESPONSE_SERVICE_TIER]: textOf(response["service_tier"]),
        [ATTR_OPENAI_RESPONSE_LOGPROBS]: logprobsOf(response["output"]),
      }),
      ...finishReasonOfStatus(response, response["incomplete_details"]),
      ...usageAttributes(response["usage"]),
    };
  },
  failureOf: (value) => {
    const { status, error, incomplete_details: details } = propertiesOf(value);
    const failure = failureFrom(error);
    if (failure !== undefined) return failure;
    if (status === "failed") return { type: "failed" };
    // The caller has half an answer and no exception that says so.
    if (status === "incomplete") return { type: textOf(propertiesOf(details)["reason"]) ?? status };
    return undefined;
  },
  createFold: createResponsesFold,
};

function answerMessage(response: unknown): GenAiMessage | undefined {
  const messages = itemsOf(propertiesOf(response)["output"]).map(responsesItemMessage);
  const parts = messages.flatMap((message) => message?.parts ?? []);
  return messages.length === 0 ? undefined : { role: "assistant", parts };
}

/** How many log probabilities stand in the answer. */
function logprobsOf(output: unknown): number | undefined {
  let count = 0;
  for (const item of itemsOf(output)) {
    for (const part of itemsOf(propertiesOf(item)["content"])) {
      count += itemsOf(propertiesOf(part)["logprobs"]).length;
    }
  }
  return count || undefined;
}
