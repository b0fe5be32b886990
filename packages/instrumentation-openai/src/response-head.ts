import type { Attributes } from "@opentelemetry/api";
import {
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_X_REQUEST_ID,
  HTTP_RESPONSE_HEADER_PREFIX,
} from "@thoughtflow/semconv";

/** The headers of a response, of whatever `fetch`; openai 4 has them as a plain object on its errors. */
export type ResponseHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, unknown>>;

/** What a server says that has any limit. */
const REMAINING = ["x-ratelimit-remaining-requests", "x-ratelimit-remaining-tokens"] as const;

/** Read only where one of those is there. */
const LIMITS = [
  "x-ratelimit-limit-requests",
  "x-ratelimit-reset-requests",
  "x-ratelimit-limit-tokens",
  "x-ratelimit-reset-tokens",
] as const;

/** Status, request id, how long the server was busy and how much it still allows. */
export function headAttributes(status: unknown, headers: ResponseHeaders | undefined): Attributes {
  const attributes: Attributes = {};
  if (typeof status === "number") attributes[ATTR_HTTP_RESPONSE_STATUS_CODE] = status;
  if (headers === undefined) return attributes;
  addHeader(attributes, headers, "x-request-id", ATTR_X_REQUEST_ID);
  addHeader(attributes, headers, "openai-processing-ms");
  if (typeof status === "number" && status >= 400) {
    addHeader(attributes, headers, "retry-after");
    addHeader(attributes, headers, "retry-after-ms");
  }
  const remaining = REMAINING.filter((name) => addHeader(attributes, headers, name));
  if (remaining.length > 0) for (const name of LIMITS) addHeader(attributes, headers, name);
  return attributes;
}

function addHeader(
  attributes: Attributes,
  headers: ResponseHeaders,
  name: string,
  attribute: string = HTTP_RESPONSE_HEADER_PREFIX + name,
): boolean {
  const { get } = headers;
  const value: unknown =
    typeof get === "function"
      ? get.call(headers, name)
      : (headers as Record<string, unknown>)[name];
  if (typeof value !== "string") return false;
  attributes[attribute] = [value];
  return true;
}
