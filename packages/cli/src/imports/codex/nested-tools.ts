import type { At, Within } from "../conversation/agent-events.ts";
import { membersOf, type PlainObject, textOf } from "../plain-values.ts";
import { doneItem } from "./records.ts";
import { SCRIPTING_TOOL } from "./scripts.ts";

/** A tool that a script called is told by an event, once it is done: the history has the script alone, and what that gave. */
function nestedTool(payload: PlainObject, callId: string, where: At): Within | undefined {
  const item = doneItem(payload);
  // Of a model's calls they are ids that its provider gave.
  const done = /^exec-/.test(textOf(item["id"]) ?? "") ? calledIn(item) : undefined;
  if (done === undefined) return undefined;
  const { started_at_ms: start, completed_at_ms: end } = payload;
  const { order } = where.at;
  const endMs = typeof end === "number" ? end : where.at.ms;
  const startMs = typeof start === "number" ? Math.min(start, endMs) : endMs;
  const isError = item["status"] === "failed" || item["status"] === "declined";
  const times = { start: { ms: startMs, order }, at: { ms: endMs, order } };
  return { ...where, ...times, ...done, callId, isError };
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
    default:
      return undefined;
  }
}

/** The calls that run scripts, or wait for them, and have no answer yet. */
export interface RunningScripts {
  /** An item of the history. */
  took(item: PlainObject): void;
  /** What one of them has called, as an event tells; `undefined` where that is something else, or the history has it. */
  called(payload: PlainObject, where: At): Within | undefined;
}

const TOOLS: ReadonlySet<unknown> = new Set([SCRIPTING_TOOL, "wait"]);

export function createRunningScripts(): RunningScripts {
  const running = new Set<string>();
  return {
    took({ type, name, call_id }) {
      const callId = textOf(call_id);
      if (callId === undefined) return;
      if (String(type).endsWith("_output")) running.delete(callId);
      else if (TOOLS.has(name)) running.add(callId);
    },
    called(payload, where) {
      const latest = [...running].at(-1);
      return latest === undefined ? undefined : nestedTool(payload, latest, where);
    },
  };
}
