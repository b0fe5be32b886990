import module from "node:module";
import { withHandOver } from "./hand-over.ts";

/** Called by the line that is added to openai's source, with its `OpenAI` class. */
const RECEIVER: unique symbol = Symbol.for("thoughtflow.openai.v1");

type Receiver = (OpenAI: unknown) => void;

/**
 * Hands every copy of openai to `onOpenAI` as soon as it is loaded, by `import` or `require`, before the app
 * that loads it goes on. Imports nothing but Node's own modules. A second call only changes who is told.
 *
 * @param onOpenAI Gets the `OpenAI` class; what it throws stays inside.
 */
export function installModuleHooks(onOpenAI: Receiver): void {
  const holder = globalThis as { [RECEIVER]?: Receiver };
  const installed = holder[RECEIVER] !== undefined;
  Object.defineProperty(holder, RECEIVER, { value: onOpenAI, configurable: true });
  if (installed) return;
  if (typeof module.registerHooks === "function") installSynchronousHooks();
  else installOldHooks();
}

function installSynchronousHooks(): void {
  module.registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const source = withHandOver(url, loaded.source);
      return source === undefined ? loaded : { ...loaded, source };
    },
  });
}

/** Node before 22.15: ES modules go through a loader thread, CommonJS through its compiler. */
function installOldHooks(): void {
  module.register("@thoughtflow/instrumentation-openai/module-loader", import.meta.url);
  const { prototype } = module.Module as unknown as {
    readonly prototype: { _compile(source: string, file: string, ...rest: unknown[]): unknown };
  };
  const compile = prototype._compile;
  prototype._compile = function _compile(source, file, ...rest) {
    return compile.call(this, withHandOver(file, source) ?? source, file, ...rest);
  };
}
