import type { GenAiPart } from "@thoughtflow/semconv";
import { toText } from "@thoughtflow/semconv";
import { countOf, isObject, listOf, membersOf, type PlainObject, textOf } from "../plain-values.ts";
import { messageOf } from "./records.ts";

/** A line that `codex exec --json` printed. */
export interface StreamEvent {
  readonly number: number;
  /** `thread.started`, `turn.started`, `item.completed` … */
  readonly type: string;
  readonly record: PlainObject;
  /** Of an event of an item: `agent_message`, `command_execution` … */
  readonly item: PlainObject;
}

const TYPE = /^(?:thread|turn|item)\.[a-z_.]+$|^error$/;

export function streamEvent(record: PlainObject, number: number): StreamEvent | undefined {
  const type = textOf(record["type"]);
  if (type === undefined || !TYPE.test(type)) return undefined;
  if (type === "error" && textOf(record["message"]) === undefined) return undefined;
  return { number, type, record, item: membersOf(record["item"]) };
}

/** The thread that a stream begins to tell of. */
export function threadIn(record: PlainObject): string | undefined {
  return record["type"] === "thread.started" ? textOf(record["thread_id"]) : undefined;
}

/** A call of a tool, as an item tells it. */
export interface StreamedCall {
  readonly name: string;
  readonly args: PlainObject;
  /** What it gave, once it is done. */
  readonly result: unknown;
  readonly isError: boolean;
}

/** The call that an item is about; `undefined` where it is about none. */
export function callIn(item: PlainObject): StreamedCall | undefined {
  const told = toldCall(item);
  const { status, exit_code: code } = item;
  const isError = status === "failed" || status === "declined" || countOf(code) > 0;
  return told && { ...told, isError };
}

function toldCall(item: PlainObject): Omit<StreamedCall, "isError"> | undefined {
  switch (item["type"]) {
    case "command_execution": {
      const { command, aggregated_output: result } = item;
      return { name: "exec_command", args: { command }, result };
    }
    case "file_change": {
      const { changes, status: result } = item;
      return { name: "apply_patch", args: { changes }, result };
    }
    case "mcp_tool_call": {
      const { server, tool, arguments: args, result, error } = item;
      return {
        name: `${textOf(server) ?? "mcp"}__${textOf(tool) ?? ""}`,
        args: membersOf(args),
        result: membersOf(error)["message"] ?? given(membersOf(result)),
      };
    }
    case "collab_tool_call": {
      const { tool, prompt, receiver_thread_ids: agents, agents_states: result } = item;
      const asked = tool === "spawn_agent" ? {} : { agents };
      const args = { ...(textOf(prompt) !== undefined && { prompt }), ...asked };
      return { name: textOf(tool) ?? "collab", args, result };
    }
    default:
      return undefined;
  }
}

function given({ content, structured_content: structured }: PlainObject): unknown {
  return structured ?? content;
}

/** What a model said in an item; `undefined` where it said nothing in it. */
export function saidIn({ id, type, text, ...more }: PlainObject): GenAiPart | undefined {
  switch (type) {
    case "agent_message":
      return { type: "text", content: toText(text) };
    case "reasoning":
      return { type: "reasoning", content: toText(text) };
    case "web_search":
      return messageOf({ type: "web_search_call", id, ...more })?.parts[0];
    default:
      return undefined;
  }
}

/** What is known of another agent. */
export interface AgentState {
  readonly agentId: string;
  /** Its answer, or what went wrong; absent while it works. */
  readonly message: string | undefined;
  readonly hasFailed: boolean;
}

export function agentStates({ agents_states: states }: PlainObject): readonly AgentState[] {
  return Object.entries(membersOf(states)).map(([agentId, state]) => {
    const { status, message } = membersOf(state);
    return { agentId, message: textOf(message), hasFailed: status === "errored" };
  });
}

/** The agents that a call began. */
export function begunBy({ tool, receiver_thread_ids: agents }: PlainObject): readonly string[] {
  return tool === "spawn_agent" ? listOf(agents).flatMap((id) => textOf(id) ?? []) : [];
}

const COUNTS = [
  "input_tokens",
  "cached_input_tokens",
  "cache_write_input_tokens",
  "output_tokens",
  "reasoning_output_tokens",
];

/**
 * What was used since it was told before: what a turn tells is the sum of all turns of its thread.
 *
 * @param before As the turn before told it
 */
export function usedSince(usage: unknown, before: unknown): PlainObject | undefined {
  if (!isObject(usage)) return undefined;
  const known = membersOf(before);
  if (COUNTS.some((name) => countOf(usage[name]) < countOf(known[name]))) return usage;
  const used = COUNTS.filter((name) => name in usage);
  return Object.fromEntries(
    used.map((name) => [name, countOf(usage[name]) - countOf(known[name])]),
  );
}
