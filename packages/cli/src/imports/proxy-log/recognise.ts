import { membersOf } from "../plain-values.ts";

/** A request to the Messages API with what came back: by its address, else by what only that API demands. */
export function isProxyLog(value: unknown): boolean {
  const { request, response, url: outer, path } = membersOf(value);
  const { url = outer ?? path, body } = membersOf(request);
  const { messages, max_tokens: limit } = membersOf(body);
  if (!Array.isArray(messages) || response === undefined) return false;
  return typeof url === "string" ? url.includes("/v1/messages") : typeof limit === "number";
}
