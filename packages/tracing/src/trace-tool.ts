import { context } from "@opentelemetry/api";
import { isThinkAloud } from "@thoughtflow/thoughts";
import { attempt } from "./attempt.ts";
import { checkArgument, checkFunction, optionCheck } from "./checks.ts";
import { parsedText } from "./json-text.ts";
import { observeResult } from "./observe-result.ts";
import type { OpenStep } from "./open-step.ts";
import { hearThoughts, setThoughtClaim } from "./thought-claim.ts";
import { openToolCall, type ToolCallOptions } from "./tool-call.ts";
import {
  requestOfArguments,
  requestOfId,
  seekByArguments,
  type ToolClaim,
} from "./tool-requests.ts";

/** A function that a model can ask for. */
export type ToolFunction = (...args: never[]) => unknown;

/** What may be said of a traced tool besides its name. */
export interface TracedToolOptions {
  /** `function` (default), `extension`, `datastore` … */
  readonly type?: string;
  readonly description?: string;
}

const checkOptions = optionCheck("traceTool", { type: "string", description: "string" });

/**
 * The same function, but each call of it is an `execute_tool` span and a step `tool_call` with arguments and result,
 * and what it does hangs below. It finds the model call that asked for it by the name and the arguments, or by the id
 * where one of its arguments is the model's tool call itself. Where two calls could be meant, it claims neither; say
 * `withToolCall` with the id there. A `think_aloud` has no span of a tool where its thought is recorded: the thought is the step.
 *
 * @returns a proxy of `fn`: its own name, length and properties, and what it returns and throws
 * @throws TypeError when an argument has the wrong type.
 */
export function traceTool<F extends ToolFunction>(
  name: string,
  fn: F,
  options: TracedToolOptions = {},
): F {
  checkArgument("traceTool", "name", "id", name);
  checkFunction("traceTool", fn);
  checkOptions(options);
  seekByArguments();
  return new Proxy(fn, {
    apply(target, self, args: never[]) {
      const call = (): unknown => Reflect.apply(target, self, args);
      const asked = attempt(() => readRequest(name, args));
      if (asked === undefined) return call();
      const tool = { ...options, name, args: asked.shown };
      if (isThinkAloud(name)) return callThinkAloud(tool, asked.claim, call);
      const step = attempt(() => openToolCall(tool, asked.claim));
      if (step === undefined) return call();
      return observeResult(() => context.with(step.context, call), {
        returned: step.end,
        threw: step.fail,
      });
    },
  });
}

/**
 * The thought is the step: whoever executes it records it, else it is read out of the messages. Where no model's messages
 * tell of the call and nothing inside it recorded a thought, it is a tool call like any other.
 */
function callThinkAloud<T>(tool: ToolCallOptions, claim: ToolClaim | undefined, call: () => T): T {
  const outside = context.active();
  if (claim !== undefined) return context.with(setThoughtClaim(outside, claim), call);
  let isRecorded = false;
  const listening = hearThoughts(outside, () => {
    isRecorded = true;
  });
  // Only its end tells whether there is anything to record; like a thought it has no duration.
  const open = (): OpenStep | undefined =>
    isRecorded ? undefined : attempt(() => openToolCall(tool));
  return observeResult(() => context.with(listening, call), {
    returned: (value) => open()?.end(value),
    threw: (error) => open()?.fail(error),
  });
}

/**
 * A copy of a map of tools in which each function is traced under its key; everything else is as it was.
 *
 * @throws TypeError when `tools` is no plain object: a copy of an instance would lose its methods.
 */
export function traceTools<T extends object>(tools: T): T {
  checkArgument("traceTools", "tools", "plain", tools);
  const traced = Object.entries(tools).map(([name, tool]) => [
    name,
    typeof tool === "function" ? traceTool(name, tool) : tool,
  ]);
  return { ...tools, ...Object.fromEntries(traced) };
}

/** The request that a call of a tool answers, and what the model asked with. */
function readRequest(
  name: string,
  args: readonly unknown[],
): { readonly claim: ToolClaim | undefined; readonly shown: unknown } {
  const { told, shown } = readArguments(name, args);
  return { claim: told ?? requestOfArguments(name, shown, context.active()), shown };
}

interface ReadArguments {
  /** The request that an argument names. */
  readonly told: ToolClaim | undefined;
  /** What the model asked with: an object, mostly. */
  readonly shown: unknown;
}

/**
 * A model's arguments are one object, as such or as JSON text; what else a tool takes (a signal, a database) is the
 * program's own. A tool that takes no such object shows all that it takes.
 */
function readArguments(name: string, args: readonly unknown[]): ReadArguments {
  for (const arg of args) {
    const call = readToolCall(arg);
    const told = call && requestOfId(call.id, context.active());
    if (told?.request.name === name) return { told, shown: parsedText(call?.args) };
  }
  const [first] = args;
  const asked = parsedText(first);
  const isOnly = args.length < 2 || (typeof asked === "object" && asked !== null);
  return { told: undefined, shown: isOnly ? asked : args };
}

/** The id and the arguments of a tool call as a provider's answer has it. */
function readToolCall(value: unknown): { id: string; args: unknown } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const call = value as Readonly<Record<"call_id" | "id" | "function" | "arguments", unknown>>;
  const id = call.call_id ?? call.id;
  const { arguments: args } = (call.function ?? call) as { readonly arguments?: unknown };
  return typeof id === "string" && id !== "" ? { id, args } : undefined;
}
