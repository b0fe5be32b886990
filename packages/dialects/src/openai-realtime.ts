import type { GenAiMessage } from "@thoughtflow/semconv";
import {
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_STATUS,
  OPERATION_CHAT,
} from "@thoughtflow/semconv";
import type { Dialect, StreamFold } from "./dialect.ts";
import { finishReasonOfStatus } from "./finish-reason.ts";
import type { Failure } from "./openai-failure.ts";
import { failureFrom } from "./openai-failure.ts";
import { requestAttributes } from "./openai-request-attributes.ts";
import { openaiResponses } from "./openai-responses.ts";
import { responsesItemMessage } from "./openai-responses-item.ts";
import { toolDefinitionsOf } from "./openai-tool-definitions.ts";
import { usageAttributes } from "./openai-usage.ts";
import { itemsOf, present, propertiesOf, textOf } from "./unknown-values.ts";

/**
 * One response of a realtime session. The request is the session as it stands (`model`, `instructions`, `tools` …) with
 * what the response itself asks for, and as `input` the items that came since the last response.
 */
export const openaiRealtime: Dialect = {
  name: "openai.realtime",
  operation: OPERATION_CHAT,
  inputItems: (request) => itemsOf(propertiesOf(request)["input"]),
  messageOf: realtimeMessage,
  systemInstructions: openaiResponses.systemInstructions,
  toolDefinitions: toolDefinitionsOf,
  outputMessages: (response) => {
    const messages = itemsOf(propertiesOf(response)["output"]).map(realtimeMessage);
    const parts = messages.flatMap((message) => message?.parts ?? []);
    return parts.length === 0 ? [] : [{ role: "assistant", parts }];
  },
  requestAttributes: (value) => {
    const request = propertiesOf(value);
    return requestAttributes({ ...request, modalities: request["output_modalities"] });
  },
  responseAttributes: (value) => {
    const response = propertiesOf(value);
    return {
      ...present<string>({
        [ATTR_GEN_AI_RESPONSE_ID]: textOf(response["id"]),
        [ATTR_GEN_AI_RESPONSE_STATUS]: textOf(response["status"]),
      }),
      ...finishReasonOfStatus(response, response["status_details"]),
      ...usageAttributes(response["usage"]),
    };
  },
  failureOf,
  createFold,
};

/** What was said aloud is told in words, where the server wrote them down. */
function realtimeMessage(item: unknown): GenAiMessage | undefined {
  const { content, ...rest } = propertiesOf(item);
  if (!Array.isArray(content)) return responsesItemMessage(item);
  const parts = content.map((one) => {
    const part = propertiesOf(one);
    const transcript = textOf(part["transcript"]);
    return transcript === undefined ? part : { type: "text", text: transcript };
  });
  return responsesItemMessage({ ...rest, content: parts });
}

function failureOf(value: unknown): Failure | undefined {
  const { status, status_details: details } = propertiesOf(value);
  const { error, reason } = propertiesOf(details);
  const failure = failureFrom(error);
  if (failure !== undefined) return failure;
  if (status === "failed") return { type: status };
  return status === "incomplete" ? { type: textOf(reason) ?? status } : undefined;
}

/** `response.done` holds all of it; until then only the words are there. */
function createFold(): StreamFold {
  let head: Readonly<Record<string, unknown>> = {};
  let isDone = false;
  const words = new Map<unknown, string>();
  return {
    add: (value) => {
      const event = propertiesOf(value);
      const type = textOf(event["type"]) ?? "";
      if (event["response"]) head = propertiesOf(event["response"]);
      isDone ||= type === "response.done";
      if (!/^response\.(output_)?(text|audio_transcript)\.delta$/.test(type)) return;
      const item = event["item_id"];
      words.set(item, (words.get(item) ?? "") + (textOf(event["delta"]) ?? ""));
    },
    response: () => {
      if (isDone) return head;
      const output = [...words.values()].map((text) => ({
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text }],
      }));
      return { ...head, output };
    },
  };
}
