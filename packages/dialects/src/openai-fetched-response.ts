import {
  ATTR_GEN_AI_REQUEST_STREAM,
  ATTR_GEN_AI_REQUEST_STREAM_CURSOR,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_OPENAI_API_TYPE,
  OPERATION_FETCH_RESPONSE,
} from "@thoughtflow/semconv";
import type { Dialect, DialectAttributes } from "./dialect.ts";
import { openaiResponses } from "./openai-responses.ts";
import { numberOf, present, propertiesOf, textOf } from "./unknown-values.ts";

/** `responses.retrieve` and `.cancel`, with the id as `previous_response_id` of the request: an answer, later. */
export const openaiFetchedResponse: Dialect = {
  ...openaiResponses,
  name: "openai.fetched_response",
  operation: OPERATION_FETCH_RESPONSE,
  inputItems: () => [],
  systemInstructions: () => [],
  toolDefinitions: () => [],
  outputSchema: () => undefined,
  requestAttributes: (request) => ({
    ...fetchAttributes(request),
    [ATTR_OPENAI_API_TYPE]: "responses",
  }),
};

/** What a request for an answer that was asked for earlier says: which one, and from where on. */
export function fetchAttributes(value: unknown): DialectAttributes {
  const request = propertiesOf(value);
  const cursor = numberOf(request["starting_after"]);
  return present<string | boolean>({
    [ATTR_GEN_AI_RESPONSE_ID]: textOf(request["previous_response_id"]),
    [ATTR_GEN_AI_REQUEST_STREAM]: request["stream"] === true ? true : undefined,
    [ATTR_GEN_AI_REQUEST_STREAM_CURSOR]: cursor === undefined ? undefined : `${cursor}`,
  });
}
