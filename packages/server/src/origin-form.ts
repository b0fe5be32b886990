import type { IncomingMessage } from "node:http";

/**
 * A request with its target as clients send it to a proxy, `POST http://host:port/v1/traces`, as if it were sent to us: the target's
 * host takes the place of the `Host` header, whatever that says (RFC 9112 §3.2.2). What is asked of other schemes stays as it is, and is
 * found nowhere.
 */
export function putInOriginForm(request: IncomingMessage): void {
  const [, host, rest = ""] = /^http:\/\/([^/?#]*)(.*)$/is.exec(request.url ?? "") ?? [];
  if (host === undefined) return;
  request.headers.host = host;
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
}
