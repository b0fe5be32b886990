import { toText } from "@thoughtflow/semconv";
import { isObject, listOf, membersOf, type PlainObject } from "../plain-values.ts";

/** What `opencode export` prints: a session, and its messages with their parts. */
export function isExport(value: unknown): boolean {
  const { info, messages } = membersOf(value);
  return (
    isObject(info) &&
    Array.isArray(messages) &&
    (toText(info["id"]).startsWith("ses") ||
      listOf(messages).some((one) => isObject(membersOf(one)["info"])))
  );
}

/** What each kind of event that `opencode run --format json` prints has beside its time and its session. */
const MEMBER: ReadonlyMap<string, string> = new Map([
  ["step_start", "part"],
  ["step_finish", "part"],
  ["text", "part"],
  ["reasoning", "part"],
  ["tool_use", "part"],
  ["error", "error"],
  ["done", "reason"],
]);

/** A line that `opencode run --format json` printed. */
export function isPrintedEvent(value: unknown): value is PlainObject {
  const event = membersOf(value);
  const { type, timestamp, sessionID } = event;
  const member = typeof type === "string" ? MEMBER.get(type) : undefined;
  return (
    typeof timestamp === "number" &&
    typeof sessionID === "string" &&
    member !== undefined &&
    event[member] !== undefined
  );
}
