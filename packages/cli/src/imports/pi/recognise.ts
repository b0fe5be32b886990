import { isObject, membersOf } from "../plain-values.ts";

/** The first line of a session file, or an entry with a message. */
export function isPiEntry(value: unknown): boolean {
  const { type, id, cwd, message, timestamp } = membersOf(value);
  if (type === "session") return typeof id === "string" && typeof cwd === "string";
  return (
    type === "message" &&
    typeof timestamp === "string" &&
    isObject(message) &&
    ROLES.has(message["role"]) &&
    !("uuid" in membersOf(value))
  );
}

const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant", "toolResult", "bashExecution"]);
