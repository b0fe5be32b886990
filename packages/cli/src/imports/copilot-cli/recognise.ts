import { isObject, membersOf } from "../plain-values.ts";

const TELLING =
  /^(?:session\.(?:start|resume|shutdown|model_change|usage_record|tools_updated|skills_loaded|mcp_servers_loaded)|user\.message|assistant\.(?:message|message_delta|turn_start|turn_end|usage)|tool\.execution_(?:start|complete)|subagent\.started)$/;

/** An event that is kept of a session, or was printed of it; its `parentId` is `null` in the first one. */
export function isCopilotEvent(value: unknown): boolean {
  const { type, data, parentId, timestamp } = membersOf(value);
  return (
    typeof type === "string" &&
    TELLING.test(type) &&
    isObject(data) &&
    parentId !== undefined &&
    typeof timestamp === "string"
  );
}
