import { openaiResponses } from "@thoughtflow/dialects";
import { guarded } from "../degradation.ts";
import type { Observer } from "../observer.ts";
import type { Method } from "../replace-method.ts";
import { executeTool, type LoopTool } from "./tool-execution.ts";
import { createToolLoop, type ToolLoop, workOn } from "./tool-loop.ts";

/** One turn of the runner, as its iterator gives it. */
interface Turn {
  readonly final?: unknown;
}

/** A tool call on its way to its tool. */
interface DispatchedCall {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly action?: unknown;
  readonly call_id?: unknown;
}

const STEPS = ["next", "return", "throw"] as const;

/**
 * `ResponsesToolRunner.iterate`, which `run` goes through too: the loop is one run, open while the SDK works on it.
 * The generator is the SDK's own, its steps have the loop around them.
 */
export function observedIterate(
  observer: Observer,
  original: Method,
  isActive: () => boolean,
): Method {
  return function iterate(...args) {
    const turns = original.apply(this, args) as AsyncGenerator<Turn>;
    if (isActive()) guarded("following a tool runner", () => follow(observer, turns, args[1]));
    return turns;
  };
}

function follow(observer: Observer, turns: AsyncGenerator<Turn>, params: unknown): void {
  let loop: ToolLoop | undefined;
  for (const step of STEPS) {
    const advance = turns[step];
    if (typeof advance !== "function") continue;
    const value = new Proxy(advance, {
      apply(_, __, args: [unknown]) {
        const work = () => advance.apply(turns, args);
        loop ??= createToolLoop(observer, openaiResponses, params);
        return loop === undefined ? work() : workOn(loop, work, endOfTurn);
      },
    });
    Object.defineProperty(turns, step, { value, writable: true, configurable: true });
  }
}

function endOfTurn({ done, value }: IteratorResult<Turn>): { readonly isPaused: boolean } {
  return { isPaused: done !== true && (value as Turn | undefined)?.final !== true };
}

/** `ResponsesToolRunner.dispatchTool`: one call of a function, of a browser's member or of the computer. */
export function observedDispatch(
  observer: Observer,
  original: Method,
  isActive: () => boolean,
): Method {
  return function dispatchTool(...args) {
    const run = (): unknown => original.apply(this, args);
    if (!isActive()) return run();
    let tool: LoopTool | undefined;
    let resultOf: () => unknown = () => undefined;
    guarded("reading a tool call", () => {
      const [item, turn, , , supplied] = args;
      if (!isSupplied(item, supplied)) tool = toolOf(item);
      resultOf = outputOf(item, turn);
    });
    return tool === undefined ? run() : executeTool(observer, tool, run, resultOf);
  };
}

function toolOf(item: unknown): LoopTool | undefined {
  const { type, name, arguments: args, action, call_id: id } = (item ?? {}) as DispatchedCall;
  const callId = typeof id === "string" ? id : undefined;
  if (type === "computer_call")
    return { name: "computer", args: action, callId, type: "extension" };
  return typeof name === "string" ? { name, args, callId } : undefined;
}

/** The app answers the call itself: no tool runs. */
function isSupplied(item: unknown, supplied: unknown): boolean {
  return supplied instanceof Map && supplied.has((item as DispatchedCall | undefined)?.call_id);
}

/** The SDK adds the tool's output to those of the turn. */
function outputOf(item: unknown, turn: unknown): () => unknown {
  const { outputs } = (turn ?? {}) as { readonly outputs?: unknown };
  const callId = (item as DispatchedCall | undefined)?.call_id;
  return () => {
    const list: readonly unknown[] = Array.isArray(outputs) ? outputs : [];
    const own = list.findLast((output) => (output as DispatchedCall)?.call_id === callId);
    return (own as { readonly output?: unknown } | undefined)?.output;
  };
}
