import {
  ATTR_GEN_AI_OUTPUT_TYPE,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_RESPONSE_STATUS,
  OPERATION_GENERATE_CONTENT,
} from "@thoughtflow/semconv";
import { CALL_WITHOUT_HISTORY, textMessage } from "./call-without-history.ts";
import type { Dialect } from "./dialect.ts";
import { requestAttributes } from "./openai-request-attributes.ts";
import { present, propertiesOf, textOf } from "./unknown-values.ts";

/** `videos.create` and its kin: words in; the answer is the job that makes the film, which is fetched as a file. */
export const openaiVideos: Dialect = {
  ...CALL_WITHOUT_HISTORY,
  name: "openai.videos",
  operation: OPERATION_GENERATE_CONTENT,
  inputItems: (request) => {
    const message = textMessage("user", propertiesOf(request)["prompt"]);
    return message === undefined ? [] : [message];
  },
  outputMessages: () => [],
  requestAttributes: (request) => ({
    ...requestAttributes(request),
    [ATTR_GEN_AI_OUTPUT_TYPE]: "video",
  }),
  responseAttributes: (value) => {
    const job = propertiesOf(value);
    return present<string>({
      [ATTR_GEN_AI_RESPONSE_ID]: textOf(job["id"]),
      [ATTR_GEN_AI_RESPONSE_MODEL]: textOf(job["model"]),
      [ATTR_GEN_AI_RESPONSE_STATUS]: textOf(job["status"]),
    });
  },
};
