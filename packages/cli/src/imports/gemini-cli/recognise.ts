import { toText } from "@thoughtflow/semconv";
import { membersOf } from "../plain-values.ts";
import { historyIn } from "./saved-history.ts";

/** The first line of a recorded chat, or all of one of an older version. */
export function isChat(value: unknown): boolean {
  const { sessionId, projectHash } = membersOf(value);
  return typeof sessionId === "string" && typeof projectHash === "string";
}

/** A conversation that a person saved. */
export function isSavedHistory(value: unknown): boolean {
  return historyIn(value) !== undefined;
}

/** A message of a chat, which stands in a line of its own. */
export function isChatMessage(value: unknown): boolean {
  const { id, type, timestamp } = membersOf(value);
  return typeof id === "string" && typeof timestamp === "string" && TYPES.includes(toText(type));
}

const TYPES = ["user", "gemini", "info", "error", "warning"];
