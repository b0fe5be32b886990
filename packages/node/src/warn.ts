import { warnAtEnd } from "@thoughtflow/tracing/internal";

/** What a warning of ours is about; stands in its `code`. */
export type WarningCode =
  | "THOUGHTFLOW_INVALID_OPTIONS"
  | "THOUGHTFLOW_OPTION_NOT_SUPPORTED"
  | "THOUGHTFLOW_ALREADY_STARTED"
  | "THOUGHTFLOW_START_FAILED"
  | "THOUGHTFLOW_PROVIDER_UNKNOWN"
  | "THOUGHTFLOW_SPANS_NOT_RECORDED"
  | "THOUGHTFLOW_SLOW_REDACT"
  | "THOUGHTFLOW_OTLP_EXPORT_FAILED"
  | "THOUGHTFLOW_OTLP_SPANS_DROPPED"
  | "THOUGHTFLOW_STORE_UNREACHABLE";

const type = "ThoughtFlowWarning";

/** Says something once and aloud, in the way that Node has for it (`--no-warnings`, `process.on("warning")`). */
export function warn(code: WarningCode, message: string): void {
  process.emitWarning(message, { type, code });
}

/** The same while the process ends, when a warning that is emitted would not be shown any more. */
export function warnAtExit(code: WarningCode, message: string): void {
  warnAtEnd(code, message);
}
