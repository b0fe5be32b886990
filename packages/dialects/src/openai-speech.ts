import type { GenAiMessage } from "@thoughtflow/semconv";
import { ATTR_GEN_AI_OUTPUT_TYPE, OPERATION_GENERATE_CONTENT } from "@thoughtflow/semconv";
import { CALL_WITHOUT_HISTORY, textMessage } from "./call-without-history.ts";
import { contentParts } from "./content-parts.ts";
import type { Dialect, StreamFold } from "./dialect.ts";
import { requestAttributes } from "./openai-request-attributes.ts";
import { usageAttributes } from "./openai-usage.ts";
import { present, propertiesOf, textOf } from "./unknown-values.ts";

/** `audio.speech.create`: words in, sound out. The sound stays with the caller: nobody else reads its bytes. */
export const openaiSpeech: Dialect = {
  ...CALL_WITHOUT_HISTORY,
  name: "openai.speech",
  operation: OPERATION_GENERATE_CONTENT,
  inputItems: (request) => {
    const message = textMessage("user", propertiesOf(request)["input"]);
    return message === undefined ? [] : [message];
  },
  systemInstructions: (request) => contentParts(propertiesOf(request)["instructions"]),
  outputMessages: (value): readonly GenAiMessage[] => {
    const { headers, audio_bytes: bytes } = propertiesOf(value);
    const mime = mediaTypeIn(headers);
    if (mime === undefined && bytes === undefined) return [];
    const part = { type: "audio", ...present({ mime_type: mime, bytes }) };
    return [{ role: "assistant", parts: [part] }];
  },
  requestAttributes: (request) => ({
    ...requestAttributes(request),
    [ATTR_GEN_AI_OUTPUT_TYPE]: "speech",
  }),
  responseAttributes: (response) => usageAttributes(propertiesOf(response)["usage"]),
  createFold,
};

/** The answer is the `Response` of `fetch`. */
function mediaTypeIn(headers: unknown): string | undefined {
  return headers instanceof Headers ? textOf(headers.get("content-type")) : undefined;
}

/** Sound in pieces is only measured. */
function createFold(): StreamFold {
  let bytes = 0;
  let last: Readonly<Record<string, unknown>> = {};
  return {
    add: (value) => {
      const event = propertiesOf(value);
      const audio = textOf(event["audio"]);
      if (audio !== undefined) bytes += Math.floor((audio.replace(/=+$/, "").length * 3) / 4);
      if (event["usage"]) last = { ...last, usage: event["usage"] };
      if (event["error"]) last = { ...last, error: event["error"] };
    },
    response: () => ({ ...last, audio_bytes: bytes }),
  };
}
