import { createRequire } from "node:module";
import { InvalidOptionsError } from "./invalid-options-error.ts";
import { openaiSupport } from "./openai-support.ts";
import type { ThoughtFlowConfig } from "./options.ts";
import { processSingleton } from "./process-singleton.ts";
import { optionsFromEnvironment } from "./resolve-options.ts";
import type * as starting from "./start-thoughtflow.ts";
import { warn } from "./warn.ts";

/** What the environment says, once somebody has asked; "unusable" after an error, which is told once. */
let config: ThoughtFlowConfig | "unusable" | undefined;

/** Observes the calls of an openai package, with a start at the first of them. */
export function observeOpenAI(openai: unknown): void {
  config ??= configOrWarning();
  if (config !== "unusable") openaiSupport(config, startFromEnvironment).observe(openai);
}

/** Loads all that a start needs, without starting. */
export function prepareStart(): void {
  if (config !== "unusable") loadStart();
}

/** Starts with what the environment says, unless somebody has started already. The app goes on, whatever happens. */
export function startFromEnvironment(): void {
  if (processSingleton().running !== undefined) return;
  try {
    config ??= configOrWarning();
    if (config !== "unusable") loadStart().startThoughtFlow();
  } catch (error) {
    config = "unusable";
    // What an option names, a file of prices, is read by the start alone.
    if (error instanceof InvalidOptionsError) warnOfOptions(error);
    else warn("THOUGHTFLOW_START_FAILED", `ThoughtFlow is off: ${String(error)}`);
  }
}

function configOrWarning(): ThoughtFlowConfig | "unusable" {
  try {
    return optionsFromEnvironment();
  } catch (error) {
    if (!(error instanceof InvalidOptionsError)) throw error;
    warnOfOptions(error);
    return "unusable";
  }
}

function warnOfOptions({ message }: InvalidOptionsError): void {
  warn("THOUGHTFLOW_INVALID_OPTIONS", `ThoughtFlow is off: ${message}.`);
}

function loadStart(): typeof starting {
  return createRequire(import.meta.url)("#start-thoughtflow");
}
