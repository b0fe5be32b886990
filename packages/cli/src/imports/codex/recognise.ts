import { isObject, membersOf } from "../plain-values.ts";

/** The kinds of lines of a rollout. */
const KINDS: ReadonlySet<unknown> = new Set([
  "session_meta",
  "response_item",
  "turn_context",
  "event_msg",
  "compacted",
  "inter_agent_communication",
  "inter_agent_communication_metadata",
  "world_state",
  "token_usage_record",
]);

/** A line of a rollout: a kind, and a payload. */
export function isRolloutLine(value: unknown): boolean {
  const { type, payload } = membersOf(value);
  return KINDS.has(type) && isObject(payload);
}
