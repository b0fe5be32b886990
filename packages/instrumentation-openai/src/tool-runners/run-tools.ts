import { openaiChat } from "@thoughtflow/dialects";
import { guarded, warnUnobserved } from "../degradation.ts";
import type { Observer } from "../observer.ts";
import type { Method } from "../replace-method.ts";
import { overlay } from "./overlay.ts";
import { observedTools } from "./runnable-tools.ts";
import { createToolLoop, workOn } from "./tool-loop.ts";

/** The part of a chat runner that every version has: it starts one macrotask after it was made. */
interface ChatRunner {
  _runTools: (client: unknown, params: unknown, ...rest: unknown[]) => Promise<unknown>;
  readonly messages: readonly unknown[];
}

/**
 * `chat.completions.runTools`, plain and streaming: its loop is one run, and each tool that it calls has a span. The
 * runner is the SDK's own; the app's tools are not touched.
 */
export function observedRunTools(
  observer: Observer,
  original: Method,
  isActive: () => boolean,
): Method {
  return function runTools(...args) {
    const runner = original.apply(this, args);
    if (isActive()) guarded("following a tool runner", () => follow(observer, runner));
    return runner;
  };
}

function follow(observer: Observer, runner: unknown): void {
  if (!isChatRunner(runner)) {
    warnUnobserved(
      "THOUGHTFLOW_OPENAI_RUNNER",
      "ThoughtFlow does not know the tool runner of this version of openai: its tools are not observed.",
    );
    return;
  }
  const start = runner._runTools;
  function runToolsOnce(
    this: unknown,
    client: unknown,
    params: unknown,
    ...rest: unknown[]
  ): Promise<unknown> {
    Reflect.deleteProperty(runner as object, "_runTools");
    const loop = createToolLoop(observer, openaiChat, params);
    let observed = params;
    guarded("wrapping tools", () => {
      observed = withObservedTools(observer, runner as ChatRunner, params);
    });
    const work = () => start.call(this, client, observed, ...rest);
    return loop === undefined ? work() : workOn(loop, work, () => ({}));
  }
  Object.defineProperty(runner, "_runTools", {
    value: runToolsOnce,
    writable: true,
    configurable: true,
  });
}

function withObservedTools(observer: Observer, runner: ChatRunner, params: unknown): unknown {
  const { tools } = (params ?? {}) as { readonly tools?: unknown };
  if (!Array.isArray(tools)) return params;
  return overlay(params as object, { tools: observedTools(observer, runner.messages, tools) });
}

function isChatRunner(value: unknown): value is ChatRunner {
  const { _runTools, messages } = (value ?? {}) as Partial<ChatRunner>;
  return typeof _runTools === "function" && Array.isArray(messages);
}
