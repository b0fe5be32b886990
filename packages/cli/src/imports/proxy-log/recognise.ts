import { membersOf } from "../plain-values.ts";

/** A request to the Messages API: by its address, else, with what came back, by what only that API demands. */
export function isProxyLog(value: unknown): boolean {
  const { request, response, url: outer, path } = membersOf(value);
  const { url = outer ?? path, body } = membersOf(request);
  const { messages, max_tokens: limit } = membersOf(body);
  if (!Array.isArray(messages)) return false;
  if (typeof url === "string") return url.includes("/v1/messages");
  return response !== undefined && typeof limit === "number";
}
