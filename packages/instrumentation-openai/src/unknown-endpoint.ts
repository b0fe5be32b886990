import type { Dialect } from "@thoughtflow/dialects";
import { CALL_WITHOUT_HISTORY } from "@thoughtflow/dialects";
import { ATTR_HTTP_REQUEST_METHOD, ATTR_URL_TEMPLATE } from "@thoughtflow/semconv";
import type { Endpoint, ObservedEndpoint } from "./endpoints.ts";

/** Nothing is known but that it was called. */
const UNKNOWN: Dialect = {
  ...CALL_WITHOUT_HISTORY,
  name: "openai.unknown",
  operation: "",
  inputItems: () => [],
  outputMessages: () => [],
  requestAttributes: () => ({}),
  responseAttributes: () => ({}),
};

/** An endpoint that the table does not have: one generic span, named by method and path without the ids. */
export function unknownEndpoint(method: string, path: string): ObservedEndpoint {
  const template = path.split("/").map(withoutId).join("/");
  return {
    route: `${method} ${template}`,
    dialect: UNKNOWN,
    step: "generic",
    hasHistory: false,
    attributes: { [ATTR_HTTP_REQUEST_METHOD]: method, [ATTR_URL_TEMPLATE]: template },
  };
}

/** Whether an endpoint is none of the table. */
export function isUnknown({ dialect }: Endpoint): boolean {
  return dialect === UNKNOWN;
}

/** Names of resources are words; what holds a digit, an upper-case letter or much text is somebody's id. */
function withoutId(segment: string): string {
  return /^[a-z]*([_-][a-z]+)*$/.test(segment) && segment.length <= 32 ? segment : "{id}";
}
