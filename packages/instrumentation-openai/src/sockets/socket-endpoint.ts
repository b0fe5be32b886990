import type { ObservedEndpoint } from "../endpoints.ts";
import { ENDPOINTS } from "../endpoints.ts";

/** What opens a socket, by its path, in the order in which they are tried. */
const ROUTES: readonly (readonly [path: RegExp, route: string])[] = [
  [/\/responses\/?$/, "WS /responses"],
  [/\/live\/sessions\/[^/]+\/fork\/?$/, "WS /live/sessions/{id}/fork"],
  [/\/live\/sessions\/[^/]+\/attach\/?$/, "WS /live/sessions/{id}/attach"],
  [/\/live\/sessions/, "WS /live/sessions"],
  [/\/realtime\/translations\/?$/, "WS /realtime/translations"],
];

/** The row of the table for a WebSocket, by the path that it is opened with; what is not known is like realtime. */
export function socketEndpoint(path: string): ObservedEndpoint {
  return rowOf(ROUTES.find(([pattern]) => pattern.test(path))?.[1] ?? "WS /realtime");
}

/** The row of the table for speech that the server writes down beside the responses of a realtime session. */
export const HEARD_SPEECH: ObservedEndpoint = rowOf("WS /realtime, what is heard");

function rowOf(route: string): ObservedEndpoint {
  return ENDPOINTS.find((endpoint) => endpoint.route === route) as ObservedEndpoint;
}
