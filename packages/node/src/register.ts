/**
 * `node --import @thoughtflow/node/register app.js`, or `--require`: watches for the openai package and loads
 * everything else when the app has a moment, at the latest at its first call. OpenTelemetry's globals are claimed at
 * that call, so that an app which sets up its own until then keeps it. Must stay small: every app pays for what is
 * imported here. It is built as one file, with copies of that: what they keep must be on `globalThis`.
 */
import { createRequire } from "node:module";
import { installModuleHooks } from "@thoughtflow/instrumentation-openai/module-hooks";
import type * as autostart from "./autostart.ts";
import { beforeFirstCall } from "./first-call.ts";
import { isSwitchedOff } from "./kill-switch.ts";
import { MODULE_HOOK_OWNER } from "./process-singleton.ts";
import { warn } from "./warn.ts";

const tracingStart: unique symbol = Symbol.for("thoughtflow.tracing-start.v1");

if (!isSwitchedOff(process.env)) {
  const require = createRequire(import.meta.url);
  /** The app goes on, whatever happens here. */
  const attempt = (action: (loaded: typeof autostart) => void) => {
    try {
      action(require("#autostart"));
    } catch (error) {
      warn("THOUGHTFLOW_START_FAILED", `ThoughtFlow is off: ${String(error)}`);
    }
  };

  installModuleHooks((openai) => {
    const observe = () => attempt(({ observeOpenAI }) => observeOpenAI(openai));
    const release = beforeFirstCall(openai, observe);
    setImmediate(() => {
      release();
      observe();
      // In two pieces: the app gets its turn between them.
      setImmediate(() => attempt(({ prepareStart }) => prepareStart())).unref();
    }).unref();
  }, MODULE_HOOK_OWNER);

  // What `beforeFirstSpan` of the tracing package does, without loading it; it may have been loaded before us.
  const prepare = () => attempt(({ startFromEnvironment }) => startFromEnvironment());
  const holder = globalThis as { [tracingStart]?: { prepare: () => void } };
  if (holder[tracingStart] !== undefined) holder[tracingStart].prepare = prepare;
  else Object.defineProperty(holder, tracingStart, { value: { prepare } });
}
