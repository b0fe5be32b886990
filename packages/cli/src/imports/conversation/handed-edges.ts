import type { ImportedEdge } from "../imported-span.ts";
import type { Conversation } from "./conversation.ts";

/** Lets the next call of a conversation rest on what others said to it; the same may be told twice. */
export function hand(conversation: Conversation, edges: readonly ImportedEdge[]): void {
  const { handed = [] } = conversation;
  const added = edges.filter(({ to }) => handed.every((known) => known.to !== to));
  if (added.length > 0) conversation.handed = [...handed, ...added];
}
