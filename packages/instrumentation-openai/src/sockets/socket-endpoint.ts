import type { ObservedEndpoint } from "../endpoints.ts";
import { ENDPOINTS } from "../endpoints.ts";

/** The row of the table for a WebSocket, by the path that it is opened with; what is not known is like realtime. */
export function socketEndpoint(path: string): ObservedEndpoint {
  const isResponses = path.replace(/\/$/, "").endsWith("/responses");
  const route = isResponses ? "WS /responses" : "WS /realtime";
  return ENDPOINTS.find((endpoint) => endpoint.route === route) as ObservedEndpoint;
}
