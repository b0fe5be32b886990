import type { Endpoint } from "./endpoints.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { unknownEndpoint } from "./unknown-endpoint.ts";

const exact = new Map<string, Endpoint>();
const patterns: (readonly [pattern: RegExp, endpoint: Endpoint])[] = [];
for (const endpoint of ENDPOINTS) {
  if (/[{*]/.test(endpoint.route)) patterns.push([patternOf(endpoint.route), endpoint]);
  else if (!exact.has(endpoint.route)) exact.set(endpoint.route, endpoint);
}

/**
 * The row of the table for a request; a row of its own for one that the table does not have.
 *
 * @param method as the SDK has it: `post`
 * @param path as the SDK has it: `/chat/completions`, also with a query, `/v1` or a whole URL before it
 */
export function endpointOf(method: string, path: string): Endpoint {
  const upper = method.toUpperCase();
  const plain = plainPath(path);
  const request = `${upper} ${plain}`;
  return (
    exact.get(request) ??
    patterns.find(([pattern]) => pattern.test(request))?.[1] ??
    unknownEndpoint(upper, plain)
  );
}

function plainPath(path: string): string {
  const rest = URL.canParse(path) ? new URL(path).pathname : (path.split(/[?#]/, 1)[0] ?? path);
  return rest.replace(/^\/v1(?=\/)/, "").replace(/\/$/, "");
}

/** `* /files/*` takes `GET /files`, too. */
function patternOf(route: string): RegExp {
  const source = route
    .replace(/^\*/, "[A-Z]+")
    .replace(/\/\*$/, "(/.*)?")
    .replaceAll("{id}", "[^/]+");
  return new RegExp(`^${source}$`);
}
