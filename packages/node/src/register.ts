/**
 * `node --import @thoughtflow/node/register app.js`, or `--require`: watches for the openai package and loads
 * everything else when it comes. Must stay small: every app pays for what is imported here.
 */
import { createRequire } from "node:module";
import { installModuleHooks } from "@thoughtflow/instrumentation-openai/module-hooks";
import type * as firstUse from "./first-use.ts";
import { isSwitchedOff } from "./kill-switch.ts";

if (!isSwitchedOff(process.env)) {
  const require = createRequire(import.meta.url);
  const load = (): typeof firstUse => require("#first-use");
  installModuleHooks((openai) => load().onOpenAI(openai));
  // What `beforeFirstSpan` of the tracing package would set, without loading it.
  Object.defineProperty(globalThis, Symbol.for("thoughtflow.tracing-start.v1"), {
    value: { prepare: () => load().onTracing() },
  });
}
