import { isObject, membersOf, type PlainObject, textOf } from "../plain-values.ts";

/** The events that tell again, piece by piece or together, what the ends of messages tell. */
const AGAIN: ReadonlySet<unknown> = new Set([
  "agent_start",
  "agent_end",
  "agent_settled",
  "turn_start",
  "turn_end",
  "message_start",
  "message_update",
  "tool_execution_start",
  "tool_execution_update",
  "tool_execution_end",
]);

const OTHERS: ReadonlySet<unknown> = new Set([
  "message_end",
  "compaction_start",
  "compaction_end",
  "thinking_level_changed",
  "session_info_changed",
  "queue_update",
  "auto_retry_start",
  "auto_retry_end",
]);

/** A line that `pi --mode json` printed, but for the first, which is that of a session file. */
export function isStreamEvent(value: unknown): boolean {
  const { type, id, message } = membersOf(value);
  if (id !== undefined) return false;
  return AGAIN.has(type) || (OTHERS.has(type) && (type !== "message_end" || isObject(message)));
}

/** Whether an event says nothing that others don't say. */
export function isToldAgain({ type }: PlainObject): boolean {
  return AGAIN.has(type);
}

/** What an event tells, as an entry of a session file; `undefined` where it tells nothing. */
export function entryIn(event: PlainObject): PlainObject | undefined {
  switch (event["type"]) {
    case "message_end":
      return { type: "message", message: event["message"] };
    case "compaction_end": {
      const summary = textOf(membersOf(event["result"])["summary"]);
      return summary === undefined ? undefined : { type: "compaction", summary };
    }
    case "thinking_level_changed":
      return { type: "thinking_level_change", thinkingLevel: event["level"] };
    case "session_info_changed":
      return { type: "session_info", name: event["name"] };
    default:
      return undefined;
  }
}

/** The message that a model is saying, as far as an event tells it. */
export function unfinishedIn(event: PlainObject): PlainObject | undefined {
  const { type, message, assistantMessageEvent } = event;
  if (type !== "message_start" && type !== "message_update") return undefined;
  const said = membersOf(message ?? membersOf(assistantMessageEvent)["partial"]);
  return said["role"] === "assistant" ? said : undefined;
}
