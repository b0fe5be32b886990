import { isObject, membersOf, type PlainObject } from "../plain-values.ts";

/** What each kind of event that `--output-format stream-json` prints has beside its time. */
const MEMBER: ReadonlyMap<string, string> = new Map([
  ["init", "session_id"],
  ["message", "role"],
  ["tool_use", "tool_id"],
  ["tool_result", "tool_id"],
  ["error", "severity"],
  ["result", "status"],
]);

/** A line that Gemini CLI printed as `stream-json`. */
export function isStreamEvent(value: unknown): value is PlainObject {
  const event = membersOf(value);
  const { type, timestamp } = event;
  const member = typeof type === "string" ? MEMBER.get(type) : undefined;
  return (
    typeof timestamp === "string" &&
    member !== undefined &&
    typeof event[member] === "string" &&
    !("uuid" in event)
  );
}

/** All that Gemini CLI printed as `json`: the last answer, and what was used. */
export function isPrintedAnswer(value: unknown): value is PlainObject {
  const { type, session_id: session, stats, error, response } = membersOf(value);
  if (type !== undefined || typeof session !== "string") return false;
  return isObject(membersOf(stats)["models"]) || (isObject(error) && response === undefined);
}
