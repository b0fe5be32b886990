import { createRequire } from "node:module";
import { InvalidOptionsError } from "./invalid-options-error.ts";
import { openaiSupport } from "./openai-support.ts";
import type { ThoughtFlowConfig } from "./options.ts";
import { processSingleton } from "./process-singleton.ts";
import { optionsFromEnvironment } from "./resolve-options.ts";
import type * as starting from "./start-thoughtflow.ts";
import { warn } from "./warn.ts";

let config: ThoughtFlowConfig | undefined | "invalid";

/**
 * What the register hook does when the app has loaded an openai package: instruments it at once, and loads the SDK
 * when the app has a moment, at the latest at its first call. OpenTelemetry's globals are claimed at that call, so
 * that an app which sets up its own until then keeps it.
 */
export function onOpenAI(openai: unknown): void {
  const support = supportFromEnvironment();
  if (support === undefined) return;
  support.observe(openai);
  setImmediate(loadStart).unref();
}

/** What the register hook does at the first call of the tracing API. */
export function onTracing(): void {
  if (processSingleton().running === undefined) startFromEnvironment();
}

function supportFromEnvironment() {
  config ??= configOrWarning();
  return config === "invalid" ? undefined : openaiSupport(config, startFromEnvironment);
}

function configOrWarning(): ThoughtFlowConfig | "invalid" {
  try {
    return optionsFromEnvironment();
  } catch (error) {
    if (!(error instanceof InvalidOptionsError)) throw error;
    warn("THOUGHTFLOW_INVALID_OPTIONS", `ThoughtFlow is off: ${error.message}.`);
    return "invalid";
  }
}

/** The app goes on, whatever happens here. */
function startFromEnvironment(): void {
  try {
    if (configOrWarning() !== "invalid") loadStart().startThoughtFlow();
  } catch (error) {
    warn("THOUGHTFLOW_START_FAILED", `ThoughtFlow is off: ${String(error)}`);
  }
}

function loadStart(): typeof starting {
  return createRequire(import.meta.url)("#start-thoughtflow");
}
