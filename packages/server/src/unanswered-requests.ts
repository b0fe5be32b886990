import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Of one connection. Node reads no more of it, either, while some 64 KiB of answers wait for their turn: refusals, too. */
const MOST_UNANSWERED = 100;

const unanswered = new WeakMap<Socket, number>();

/**
 * Takes note of a request until it is answered. Many may come in one connection without waiting for one another, also behind a stream of events that
 * never ends: each holds memory meanwhile.
 *
 * @returns whether there is room for it among those of its connection
 */
export function hasRoom(response: ServerResponse): boolean {
  const { socket } = response.req;
  const before = unanswered.get(socket) ?? 0;
  if (before >= MOST_UNANSWERED) return false;
  unanswered.set(socket, before + 1);
  response.once("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
  return true;
}
