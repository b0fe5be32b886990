import { isObject, membersOf } from "../plain-values.ts";

/** The first line of a session file, or an entry with a message. */
export function isPiEntry(value: unknown): boolean {
  const { type, id, cwd, message, timestamp } = membersOf(value);
  if (typeof timestamp !== "string") return false;
  if (type === "session") return typeof id === "string" && typeof cwd === "string";
  return (
    type === "message" &&
    isObject(message) &&
    ROLES.has(message["role"]) &&
    !("uuid" in membersOf(value))
  );
}

/** Such a line that tells whose it is: others write messages like Pi's, but without a time of their own. */
export function isOnlyPi(value: unknown): boolean {
  const { type, message } = membersOf(value);
  return (
    isPiEntry(value) && (type === "session" || typeof membersOf(message)["timestamp"] === "number")
  );
}

const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant", "toolResult", "bashExecution"]);
