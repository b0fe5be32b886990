import { isObject, listOf, membersOf } from "../plain-values.ts";

/** A line of an evaluation's output: one instance with the history of its events. */
export function isInstance(value: unknown): boolean {
  const { history, trajectory } = membersOf(value);
  return (
    [...listOf(history), ...listOf(trajectory)].flat().some(isEvent) &&
    !("info" in membersOf(value))
  );
}

/** A trajectory by itself, as the program saves it: a list of events. */
export function isEventList(value: unknown): boolean {
  return Array.isArray(value) && value.flat().some(isEvent);
}

function isEvent(value: unknown): boolean {
  if (!isObject(value) || "role" in value || "response" in value) return false;
  return typeof value["action"] === "string" || typeof value["observation"] === "string";
}
