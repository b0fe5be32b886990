import type { OpenAISupport } from "./late-instrumentation.ts";
import type { ThoughtFlow } from "./running-thoughtflow.ts";

const key: unique symbol = Symbol.for("thoughtflow.node.v1");

/** By which the register hook and `startThoughtFlow` are one to the module hooks: the later replaces the earlier. */
export const MODULE_HOOK_OWNER = "@thoughtflow/node";

/** What the register hook and `startThoughtFlow` know of one another, also across two copies of this package. */
export interface ProcessSingleton {
  /** Set while ThoughtFlow runs. */
  running?: ThoughtFlow;
  /** Set once the instrumentation is in place. */
  openai?: OpenAISupport;
}

/** What this process knows of a running ThoughtFlow; the same object for every copy of this package. */
export function processSingleton(): ProcessSingleton {
  const holder = globalThis as { [key]?: ProcessSingleton };
  holder[key] ??= {};
  return holder[key];
}
