import type { Within } from "../conversation/agent-events.ts";
import { isObject, membersOf, type PlainObject, textOf } from "../plain-values.ts";
import { doneItem } from "./records.ts";

/** A tool that is done, as an event tells. */
export interface DoneTool extends Pick<Within, "name" | "args" | "result" | "isError"> {
  readonly id: string;
  /** Milliseconds since 1970, where the event tells it. */
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  /** Milliseconds, where the event tells it. */
  readonly durationMs: number | undefined;
}

/** `undefined` where an event tells of something else. */
export function doneTool(event: PlainObject): DoneTool | undefined {
  const item = itemOf(event);
  const id = textOf(item["id"]);
  const called = calledIn(item);
  if (id === undefined || called === undefined) return undefined;
  return {
    id,
    ...called,
    isError: hasFailed(item),
    startMs: numberOf(event["started_at_ms"]),
    endMs: numberOf(event["completed_at_ms"]),
    durationMs: millisecondsOf(item["duration"]),
  };
}

/** The call of which an event tells that it is done and failed, or was refused. */
export function failedCall(event: PlainObject): string | undefined {
  const item = itemOf(event);
  return hasFailed(item) ? textOf(item["id"]) : undefined;
}

function hasFailed({ status, success }: PlainObject): boolean {
  return status === "failed" || status === "declined" || success === false;
}

/** The items that rollouts tell as events of their own which don't hold what the program displays: the same members, by another id. */
const ITEMS: Readonly<Record<string, string>> = {
  exec_command_end: "CommandExecution",
  patch_apply_end: "FileChange",
  web_search_end: "WebSearch",
  view_image_tool_call: "ImageView",
  image_generation_end: "ImageGeneration",
  dynamic_tool_call_response: "DynamicToolCall",
};

function itemOf(event: PlainObject): PlainObject {
  const { type, call_id: id } = event;
  const kind = ITEMS[textOf(type) ?? ""];
  if (kind !== undefined) return { ...event, type: kind, id };
  if (type !== "mcp_tool_call_end") return doneItem(event);
  const { Ok: result, Err: message } = membersOf(event["result"]);
  const { isError = false, is_error = isError } = membersOf(result);
  const success = message === undefined && is_error !== true;
  const outcome = { result, error: { message }, success };
  return { ...event, ...membersOf(event["invocation"]), ...outcome, type: "McpToolCall", id };
}

function calledIn(item: PlainObject): Pick<Within, "name" | "args" | "result"> | undefined {
  switch (item["type"]) {
    case "CommandExecution": {
      const { command, cwd, aggregated_output: output } = item;
      return { name: "exec_command", args: { command, cwd }, result: output ?? "" };
    }
    case "McpToolCall": {
      const { server, tool, arguments: args, result, error } = item;
      const name = `${textOf(server) ?? "mcp"}__${textOf(tool) ?? ""}`;
      return { name, args: args ?? {}, result: membersOf(error)["message"] ?? result ?? "" };
    }
    case "FileChange": {
      const { changes, stdout, stderr } = item;
      const words = [stdout, stderr].map(textOf).filter((one) => one !== undefined);
      return { name: "apply_patch", args: { changes }, result: words.join("\n") };
    }
    case "WebSearch": {
      const { query, action, results } = item;
      return { name: "web_search", args: { query, action }, result: results ?? "" };
    }
    case "ImageView":
      return { name: "view_image", args: { path: item["path"] }, result: "" };
    case "ImageGeneration": {
      const { revised_prompt, result, saved_path } = item;
      return { name: "image_generation", args: { revised_prompt }, result: { result, saved_path } };
    }
    case "DynamicToolCall": {
      const { tool, arguments: args, content_items: given, error } = item;
      return { name: textOf(tool) ?? "", args: args ?? {}, result: error ?? given ?? "" };
    }
    default:
      return undefined;
  }
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** `{ secs, nanos }`. */
function millisecondsOf(duration: unknown): number | undefined {
  if (!isObject(duration)) return undefined;
  const { secs, nanos } = duration;
  return (numberOf(secs) ?? 0) * 1_000 + (numberOf(nanos) ?? 0) / 1_000_000;
}
