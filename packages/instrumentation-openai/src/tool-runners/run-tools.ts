import { openaiChat } from "@thoughtflow/dialects";
import { guarded, warnUnobserved } from "../degradation.ts";
import type { Observer } from "../observer.ts";
import type { Method } from "../replace-method.ts";
import { overlay } from "./overlay.ts";
import { observedFunctions, observedTools } from "./runnable-tools.ts";
import { createToolLoop, workOn } from "./tool-loop.ts";

/** Under which names a chat runner has its work, and its parameters what the work may call. */
interface Loop {
  readonly work: "_runTools" | "_runFunctions";
  readonly list: "tools" | "functions";
  readonly observe: typeof observedTools;
}

/** What every version has of a chat runner: its work starts one macrotask after it was made. */
type ChatRunner = Readonly<Record<Loop["work"], Work>> & { readonly messages: readonly unknown[] };

type Work = (client: unknown, params: unknown, ...rest: unknown[]) => Promise<unknown>;

const TOOLS: Loop = { work: "_runTools", list: "tools", observe: observedTools };
const FUNCTIONS: Loop = { work: "_runFunctions", list: "functions", observe: observedFunctions };

/**
 * `chat.completions.runTools`, plain and streaming: its loop is one run, and each tool that it calls has a span. The
 * runner is the SDK's own; the app's tools are not touched.
 */
export function observedRunTools(
  observer: Observer,
  original: Method,
  isActive: () => boolean,
): Method {
  return observedLoop(observer, TOOLS, original, isActive);
}

/** The same for `runFunctions`, which openai 4 has for models that call one function at a time, without an id. */
export function observedRunFunctions(
  observer: Observer,
  original: Method,
  isActive: () => boolean,
): Method {
  return observedLoop(observer, FUNCTIONS, original, isActive);
}

function observedLoop(
  observer: Observer,
  loop: Loop,
  original: Method,
  isActive: () => boolean,
): Method {
  return function runTools(...args) {
    const runner = original.apply(this, args);
    if (isActive()) guarded("following a tool runner", () => follow(observer, loop, runner));
    return runner;
  };
}

function follow(observer: Observer, { work, list, observe }: Loop, runner: unknown): void {
  if (!isChatRunner(runner, work)) {
    warnUnobserved(
      "THOUGHTFLOW_OPENAI_RUNNER",
      "ThoughtFlow does not know the tool runner of this version of openai: its tools are not observed.",
    );
    return;
  }
  const { messages, [work]: start } = runner;
  const value = new Proxy(start, {
    apply(_, self, [client, params, ...rest]: Parameters<Work>) {
      Reflect.deleteProperty(runner as object, work);
      const loop = createToolLoop(observer, openaiChat, params);
      let observed = params;
      guarded("wrapping tools", () => {
        const { [list]: tools } = (params ?? {}) as Readonly<
          Partial<Record<Loop["list"], unknown>>
        >;
        if (!Array.isArray(tools)) return;
        observed = overlay(params as object, { [list]: observe(observer, messages, tools) });
      });
      const run = () => start.call(self, client, observed, ...rest);
      return loop === undefined ? run() : workOn(loop, run, () => ({}));
    },
  });
  Object.defineProperty(runner, work, { value, writable: true, configurable: true });
}

function isChatRunner(value: unknown, work: Loop["work"]): value is ChatRunner {
  const { [work]: start, messages } = (value ?? {}) as Partial<ChatRunner>;
  return typeof start === "function" && Array.isArray(messages);
}
