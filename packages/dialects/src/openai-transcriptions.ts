import type { GenAiMessage, GenAiPart } from "@thoughtflow/semconv";
import {
  ATTR_GEN_AI_OUTPUT_TYPE,
  ATTR_THOUGHTFLOW_AUDIO_SECONDS,
  OPERATION_GENERATE_CONTENT,
} from "@thoughtflow/semconv";
import { CALL_WITHOUT_HISTORY, textMessage } from "./call-without-history.ts";
import type { Dialect, StreamFold } from "./dialect.ts";
import { requestAttributes } from "./openai-request-attributes.ts";
import { usageAttributes } from "./openai-usage.ts";
import { numberOf, present, propertiesOf, textOf } from "./unknown-values.ts";
import { uploadedPart } from "./uploaded-part.ts";

/** `audio.transcriptions.create` and `audio.translations.create`: sound in, words out. */
export const openaiTranscriptions: Dialect = {
  ...CALL_WITHOUT_HISTORY,
  name: "openai.transcriptions",
  operation: OPERATION_GENERATE_CONTENT,
  inputItems: (value) => {
    const { file, prompt } = propertiesOf(value);
    const parts: GenAiPart[] = [];
    const sound = uploadedPart("audio", file);
    if (sound !== undefined) parts.push(sound);
    const content = textOf(prompt);
    if (content !== undefined) parts.push({ type: "text", content });
    return parts.length === 0 ? [] : [{ role: "user", parts } satisfies GenAiMessage];
  },
  outputMessages: (response) => {
    // Subtitles and plain text come as they are, everything else in an object.
    const words = typeof response === "string" ? response : propertiesOf(response)["text"];
    const message = textMessage("assistant", words);
    return message === undefined ? [] : [message];
  },
  requestAttributes: (request) => ({
    ...requestAttributes(request),
    [ATTR_GEN_AI_OUTPUT_TYPE]: "text",
  }),
  responseAttributes: (response) => {
    const usage = propertiesOf(propertiesOf(response)["usage"]);
    return {
      // Some models are paid by the time that they listen.
      ...present({ [ATTR_THOUGHTFLOW_AUDIO_SECONDS]: numberOf(usage["seconds"]) }),
      ...usageAttributes(usage),
    };
  },
  createFold,
};

/** The last event repeats all of the text; until then it is made of the pieces. */
function createFold(): StreamFold {
  let text = "";
  let last: Readonly<Record<string, unknown>> = {};
  return {
    add: (value) => {
      const event = propertiesOf(value);
      if (event["type"] === "transcript.text.delta") text += textOf(event["delta"]) ?? "";
      if (event["type"] === "transcript.text.done") text = textOf(event["text"]) ?? text;
      if (event["usage"]) last = { ...last, usage: event["usage"] };
      if (event["error"]) last = { ...last, error: event["error"] };
    },
    response: () => ({ ...last, text }),
  };
}
