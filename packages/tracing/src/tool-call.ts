import { context } from "@opentelemetry/api";
import {
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_DESCRIPTION,
  ATTR_GEN_AI_TOOL_TYPE,
} from "@thoughtflow/semconv";
import { contextOfCall } from "./call-contexts.ts";
import { optionCheck } from "./checks.ts";
import type { Dependency } from "./dependencies.ts";
import type { StepHandle } from "./handles.ts";
import { withStep } from "./step.ts";

/** One execution of a tool. */
export interface ToolCallOptions {
  readonly name: string;
  /** The arguments, or their JSON text as the model wrote it. */
  readonly args?: unknown;
  /** The id by which the model asked for the call: what joins the call, its request and its output. */
  readonly callId?: string;
  /** `function` (default), `extension`, `datastore` … */
  readonly type?: string;
  readonly description?: string;
  /** Unique inside the run; default `s_<span id>`. */
  readonly id?: string;
  readonly dependsOn?: Dependency | readonly Dependency[];
}

const checkToolCall = optionCheck(
  "withToolCall",
  { name: "id", callId: "id", type: "string", description: "string" },
  ["name"],
);

/**
 * Runs a function as the execution of a tool: an `execute_tool` span and a step `tool_call` with its output. Outside
 * of any span it joins the run of the model call that asked for `callId`.
 *
 * @throws TypeError when an option has the wrong type.
 */
export function withToolCall<T>(options: ToolCallOptions, fn: (step: StepHandle) => T): T {
  checkToolCall(options);
  const { args, callId, type = "function", description, ...rest } = options;
  const attributes = {
    [ATTR_GEN_AI_TOOL_TYPE]: type,
    ...(callId !== undefined && { [ATTR_GEN_AI_TOOL_CALL_ID]: callId }),
    ...(description !== undefined && { [ATTR_GEN_AI_TOOL_DESCRIPTION]: description }),
  };
  const execute = (): T => withStep({ ...rest, label: "tool_call", input: args, attributes }, fn);
  const requested = callId === undefined ? undefined : contextOfCall(callId);
  return requested === undefined ? execute() : context.with(requested, execute);
}
