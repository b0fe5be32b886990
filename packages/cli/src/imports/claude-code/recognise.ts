import { isObject, membersOf } from "../plain-values.ts";

const TYPES: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "progress"]);

/** A record of a conversation, or the summary of one. */
export function isTranscript(value: unknown): boolean {
  const { type, message, uuid, parentUuid, sessionId, leafUuid, summary } = membersOf(value);
  if (type === "summary") return leafUuid !== undefined && summary !== undefined;
  if (!TYPES.has(type)) return false;
  return (
    parentUuid !== undefined ||
    (typeof uuid === "string" && typeof sessionId === "string") ||
    (typeof sessionId === "string" && isObject(message))
  );
}
