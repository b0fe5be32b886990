import { membersOf, type PlainObject, textOf } from "../plain-values.ts";
import type { RolloutLine } from "./records.ts";

/** What an event and an item of the history both may tell. */
type Told = "user" | "assistant" | "reasoning" | "call";

/**
 * The lines of a thread, where its history does not hold what its events tell (a rollout that was kept for its display): those
 * events as the items that they stand for.
 */
export function eventsAsItems(lines: readonly RolloutLine[]): readonly RolloutLine[] {
  const told = new Set(lines.map(toldByItem));
  return lines.map((line) => {
    const item = line.kind === "event_msg" ? itemOf(line.payload) : undefined;
    if (item === undefined || told.has(item.tells)) return line;
    return { ...line, kind: "response_item", payload: item.payload };
  });
}

/** Whether a line is an answer in the history: then the history tells all. */
export function isAnswer(line: RolloutLine): boolean {
  return toldByItem(line) === "assistant";
}

function toldByItem({ kind, payload }: RolloutLine): Told | undefined {
  if (kind !== "response_item") return undefined;
  const { type, role } = payload;
  if (type === "message") return role === "assistant" || role === "user" ? role : undefined;
  if (type === "reasoning") return "reasoning";
  return /_call(_output)?$/.test(textOf(type) ?? "") ? "call" : undefined;
}

function itemOf(
  event: PlainObject,
): { readonly tells: Told; readonly payload: PlainObject } | undefined {
  const { type, message, text, call_id } = event;
  switch (type) {
    case "user_message":
      return { tells: "user", payload: messageItem("user", "input_text", message) };
    case "agent_message":
      return { tells: "assistant", payload: messageItem("assistant", "output_text", message) };
    case "agent_reasoning":
      return {
        tells: "reasoning",
        payload: { type: "reasoning", summary: [{ type: "summary_text", text }] },
      };
    case "exec_command_begin": {
      const { command, cwd } = event;
      const args = JSON.stringify({ command, cwd });
      const call = { type: "function_call", call_id, name: "exec_command", arguments: args };
      return { tells: "call", payload: call };
    }
    case "exec_command_end": {
      const { aggregated_output, stdout, exit_code } = event;
      const output = JSON.stringify({
        output: aggregated_output ?? stdout,
        metadata: { exit_code },
      });
      return { tells: "call", payload: { type: "function_call_output", call_id, output } };
    }
    case "mcp_tool_call_begin": {
      const { server, tool, arguments: given } = membersOf(event["invocation"]);
      const name = `${textOf(server) ?? "mcp"}__${textOf(tool) ?? ""}`;
      const args = JSON.stringify(given ?? {});
      return {
        tells: "call",
        payload: { type: "function_call", call_id, name, arguments: args },
      };
    }
    case "mcp_tool_call_end": {
      const output = JSON.stringify(event["result"] ?? null);
      return { tells: "call", payload: { type: "function_call_output", call_id, output } };
    }
    default:
      return undefined;
  }
}

function messageItem(role: string, type: string, text: unknown): PlainObject {
  return { type: "message", role, content: [{ type, text }] };
}
