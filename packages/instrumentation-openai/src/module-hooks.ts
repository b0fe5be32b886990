import module from "node:module";
import { withHandOver } from "./hand-over.ts";

/** Called by the line that is added to openai's source, with its `OpenAI` class. */
const HAND_OVER: unique symbol = Symbol.for("thoughtflow.openai.v1");

type Receiver = (OpenAI: unknown) => void;

interface HandOver extends Receiver {
  /** By who asked, the earliest first. */
  readonly receivers: Map<unknown, Receiver>;
}

/**
 * Hands every copy of openai to `onOpenAI` as soon as it is loaded, by `import` or `require`, before the app
 * that loads it goes on. Imports nothing but Node's own modules.
 *
 * @param onOpenAI Gets the `OpenAI` class; what it throws stays inside.
 * @param owner Who asks: a second call of the same replaces its first. Of several the latest is told first, as what
 *   a program sets up for itself comes after what its command line did.
 */
export function installModuleHooks(onOpenAI: Receiver, owner: unknown): void {
  const holder = globalThis as { [HAND_OVER]?: HandOver };
  const present = holder[HAND_OVER];
  if (present !== undefined) {
    present.receivers.set(owner, onOpenAI);
    return;
  }
  Object.defineProperty(holder, HAND_OVER, { value: createHandOver([owner, onOpenAI]) });
  if (typeof module.registerHooks === "function") installSynchronousHooks();
  else installLoaderThread();
  watchCommonJsCompiler();
}

function createHandOver(...first: readonly (readonly [unknown, Receiver])[]): HandOver {
  const receivers = new Map(first);
  const handOver: Receiver = (OpenAI) => {
    for (const receive of [...receivers.values()].reverse()) {
      try {
        receive(OpenAI);
      } catch {
        // The app that loads openai goes on, and so do the others.
      }
    }
  };
  return Object.assign(handOver, { receivers });
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

/** Node before 22.15: ES modules go through a thread of their own. */
function installLoaderThread(): void {
  module.register("@thoughtflow/instrumentation-openai/module-loader", import.meta.url);
}

/** For Node before 22.15, and for tools that read CommonJS past the hooks, as tsx does. */
function watchCommonJsCompiler(): void {
  const { prototype } = module.Module as unknown as {
    readonly prototype: { _compile(source: string, file: string, ...rest: unknown[]): unknown };
  };
  const compile = prototype._compile;
  prototype._compile = function _compile(source, file, ...rest) {
    return compile.call(this, withHandOver(file, source) ?? source, file, ...rest);
  };
}
