import type { IncomingMessage } from "node:http";
import { type HttpAnswer, plainAnswer } from "./http-answer.ts";
import { isLoopback, type ServerConfig } from "./server-options.ts";

/**
 * Why a request is answered by nobody, or `undefined`: a page of another site must not reach this server, neither by a
 * name of its own that leads here nor from the user's browser.
 */
export function refusalOf(
  { headers, rawHeaders }: IncomingMessage,
  { allowedHosts }: Pick<ServerConfig, "allowedHosts">,
): HttpAnswer | undefined {
  const { host = "", origin, "sec-fetch-site": site } = headers;
  if (rawHeaders.filter(isHostName).length > 1)
    return plainAnswer(400, "A request names one host.");
  const name = hostName(host);
  if (name === undefined || !(isLoopback(name) || allowedHosts.includes(name)))
    return plainAnswer(421, `This server is not ${JSON.stringify(host.slice(0, 200))}.`);
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    return plainAnswer(403, "Requests of other origins are not answered.");
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return plainAnswer(403, "Requests of other sites are not answered.");
  return undefined;
}

/** Names and values take turns; which of two hosts is meant, another reader may see otherwise. */
function isHostName(text: string, at: number): boolean {
  return at % 2 === 0 && text.length === 4 && text.toLowerCase() === "host";
}

/** Of `name`, `name:port` or `[address]:port`; in lower case. */
function hostName(host: string): string | undefined {
  return /^(\[[\da-f:.]+\]|[^:/@\s[\]]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
}
