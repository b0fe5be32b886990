/** Says something once and aloud, in the way that Node has for it (`--no-warnings`, `process.on("warning")`). */
export function warn(
  code: "THOUGHTFLOW_OTLP_EXPORT_FAILED" | "THOUGHTFLOW_OTLP_SPANS_DROPPED",
  message: string,
): void {
  process.emitWarning(message, { type: "ThoughtFlowWarning", code });
}
