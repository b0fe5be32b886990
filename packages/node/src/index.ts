// Starting

// Options
export type { OptionProblem } from "./invalid-options-error.ts";
export { InvalidOptionsError } from "./invalid-options-error.ts";
export type {
  LogLevel,
  OtlpConfig,
  OtlpExporterName,
  OtlpOptions,
  OtlpProtocol,
  RedactHook,
  SpanLimitsConfig,
  ThoughtFlowConfig,
  ThoughtFlowOptions,
} from "./options.ts";
export { optionsFromEnvironment, resolveThoughtFlowOptions } from "./resolve-options.ts";
export type { ThoughtFlow } from "./running-thoughtflow.ts";
export type { Environment } from "./setting-reader.ts";
export { startThoughtFlow } from "./start-thoughtflow.ts";
