import { guarded } from "../degradation.ts";
import type { Observer } from "../observer.ts";
import { overlay } from "./overlay.ts";
import { executeTool } from "./tool-execution.ts";
import { createTurnCalls, type TurnCalls } from "./turn-calls.ts";

type Callable = (this: unknown, ...args: unknown[]) => unknown;

/** A tool that `runTools` runs: written out, or made by a helper such as `zodFunction`. */
interface RunnableTool {
  readonly type?: unknown;
  readonly $brand?: unknown;
  readonly $callback?: unknown;
  readonly $parseRaw?: unknown;
  readonly function?: unknown;
}

interface RunnableFunction {
  readonly name?: unknown;
  readonly function?: unknown;
  readonly parse?: unknown;
}

/**
 * The tools of a loop as the SDK is to see them: the app's own objects but for the functions that run, which have a
 * span around them. They get the arguments and the `this` that they would get without us.
 *
 * @param messages the runner's own, growing list: which call a function answers stands in its last answer
 */
export function observedTools(
  observer: Observer,
  messages: readonly unknown[],
  tools: readonly unknown[],
): readonly unknown[] {
  const calls = createTurnCalls(messages);
  return tools.map((tool) => (isObject(tool) ? observedTool(observer, calls, tool) : tool));
}

/** The same for the functions of `runFunctions`, which stand in their list as what runs itself. */
export function observedFunctions(
  observer: Observer,
  messages: readonly unknown[],
  functions: readonly unknown[],
): readonly unknown[] {
  const calls = createTurnCalls(messages);
  return functions.map((spec) => (isObject(spec) ? observedSpec(observer, calls, spec) : spec));
}

function observedTool(observer: Observer, calls: TurnCalls, tool: RunnableTool): unknown {
  const { $brand, $callback, $parseRaw, type } = tool;
  if ($brand === "auto-parseable-tool") {
    if (!isCallable($callback) || !isCallable($parseRaw)) return tool;
    const spec = () => tool.function as RunnableFunction;
    return overlay(tool, observed(observer, calls, spec, $callback, $parseRaw, FROM_HELPER));
  }
  const spec = tool.function;
  if (type !== "function" || !isObject(spec)) return tool;
  const observedOne = observedSpec(observer, calls, spec);
  return observedOne === spec ? tool : overlay(tool, { function: observedOne });
}

function observedSpec(observer: Observer, calls: TurnCalls, spec: RunnableFunction): object {
  const { function: callback, parse } = spec;
  if (!isCallable(callback)) return spec;
  return overlay(
    spec,
    observed(observer, calls, () => spec, callback, parse, WRITTEN_OUT),
  );
}

/** Under which keys a tool has its function and its parser, and what both have as `this` while the SDK calls them. */
interface ToolForm {
  readonly callback: string;
  readonly parse: string;
  readonly self: (self: unknown, spec: object, callback: Callable, parse: unknown) => unknown;
}

const WRITTEN_OUT: ToolForm = {
  callback: "function",
  parse: "parse",
  self: (_, spec) => spec,
};

/** The SDK makes an object of its own of the helper's parts. */
const FROM_HELPER: ToolForm = {
  callback: "$callback",
  parse: "$parseRaw",
  self: (self, _, callback, parse) =>
    isObject(self) ? overlay(self, { function: callback, parse }) : self,
};

function observed(
  observer: Observer,
  calls: TurnCalls,
  spec: () => RunnableFunction,
  callback: Callable,
  parse: unknown,
  form: ToolForm,
): Record<string, unknown> {
  const selfOf = (self: unknown): unknown => form.self(self, spec(), callback, parse);
  const changes: Record<string, unknown> = {
    [form.callback]: new Proxy(callback, {
      apply(target, self, args: unknown[]) {
        const { name: given } = spec();
        const name = typeof given === "string" && given !== "" ? given : target.name;
        const run = (): unknown => Reflect.apply(target, selfOf(self), args);
        let found: ReturnType<TurnCalls["take"]> | undefined;
        guarded("finding a tool's call", () => {
          found = calls.take(name, args[0]);
        });
        if (found === undefined) return run();
        return executeTool(observer, { name, ...found }, run);
      },
    }),
  };
  if (isCallable(parse)) {
    changes[form.parse] = new Proxy(parse, {
      apply(target, self, args: unknown[]) {
        const value: unknown = Reflect.apply(target, selfOf(self), args);
        guarded("reading a tool's arguments", () => calls.parsed(args[0], value));
        return value;
      },
    });
  }
  return changes;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isCallable(value: unknown): value is Callable {
  return typeof value === "function";
}
