import type { ObservedEndpoint } from "../endpoints.ts";
import { ENDPOINTS } from "../endpoints.ts";

/** The row of the table for a WebSocket, by the path that it is opened with; what is not known is like realtime. */
export function socketEndpoint(path: string): ObservedEndpoint {
  return ENDPOINTS.find(({ route }) => route === routeOf(path)) as ObservedEndpoint;
}

function routeOf(path: string): string {
  if (/\/responses\/?$/.test(path)) return "WS /responses";
  // A session's own socket, those of its forks, and those beside it.
  return path.includes("/live/sessions") ? "WS /live/sessions/*" : "WS /realtime";
}
