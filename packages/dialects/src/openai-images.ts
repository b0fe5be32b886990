import type { GenAiMessage, GenAiPart } from "@thoughtflow/semconv";
import { ATTR_GEN_AI_OUTPUT_TYPE, OPERATION_GENERATE_CONTENT } from "@thoughtflow/semconv";
import { CALL_WITHOUT_HISTORY } from "./call-without-history.ts";
import type { Dialect, StreamFold } from "./dialect.ts";
import { mediaPart } from "./media-part.ts";
import { requestAttributes } from "./openai-request-attributes.ts";
import { usageAttributes } from "./openai-usage.ts";
import { itemsOf, present, propertiesOf, textOf } from "./unknown-values.ts";
import { uploadedPart } from "./uploaded-part.ts";

/** `images.generate`, `images.edit` and `images.createVariation`: words and pictures in, pictures out. */
export const openaiImages: Dialect = {
  ...CALL_WITHOUT_HISTORY,
  name: "openai.images",
  operation: OPERATION_GENERATE_CONTENT,
  inputItems: (value) => {
    const { prompt, image, mask } = propertiesOf(value);
    const pictures = [...(Array.isArray(image) ? image : [image]), mask];
    const parts: GenAiPart[] = pictures
      .map((picture) => uploadedPart("image", picture))
      .filter((part) => part !== undefined);
    const content = textOf(prompt);
    if (content !== undefined) parts.unshift({ type: "text", content });
    return parts.length === 0 ? [] : [{ role: "user", parts } satisfies GenAiMessage];
  },
  outputMessages: (value) => {
    const response = propertiesOf(value);
    const format = textOf(response["output_format"]) ?? "png";
    return itemsOf(response["data"]).map((item): GenAiMessage => {
      const picture = propertiesOf(item);
      const part = mediaPart("image", {
        url: picture["url"],
        data: picture["b64_json"],
        mimeType: `image/${format}`,
      });
      const revised = present({ revised_prompt: textOf(picture["revised_prompt"]) });
      return { role: "assistant", parts: part === undefined ? [] : [{ ...part, ...revised }] };
    });
  },
  requestAttributes: (request) => ({
    ...requestAttributes(request),
    [ATTR_GEN_AI_OUTPUT_TYPE]: "image",
  }),
  responseAttributes: (response) => usageAttributes(propertiesOf(response)["usage"]),
  createFold,
};

/** Each picture comes in ever better versions, of which the last is kept; the usage stands with the final one. */
function createFold(): StreamFold {
  let head: Readonly<Record<string, unknown>> = {};
  let partial: unknown;
  const finished: unknown[] = [];
  return {
    add: (value) => {
      const event = propertiesOf(value);
      const type = textOf(event["type"]) ?? "";
      if (event["error"]) head = { ...head, error: event["error"] };
      const { b64_json, ...rest } = event;
      if (type.endsWith(".partial_image")) partial = { b64_json };
      if (!type.endsWith(".completed")) return;
      head = { ...head, ...rest };
      finished.push({ b64_json });
      partial = undefined;
    },
    response: () => ({ ...head, data: partial === undefined ? finished : [...finished, partial] }),
  };
}
