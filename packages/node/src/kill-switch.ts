/**
 * Whether `THOUGHTFLOW_DISABLED` or `OTEL_SDK_DISABLED` switches everything off, read without loading anything.
 * Only words that surely mean yes count; `resolveThoughtFlowOptions` complains about the others.
 */
export function isSwitchedOff(environment: Readonly<Record<string, string | undefined>>): boolean {
  const own = environment["THOUGHTFLOW_DISABLED"]?.trim().toLowerCase() ?? "";
  const general = environment["OTEL_SDK_DISABLED"]?.trim().toLowerCase();
  return ["1", "true", "yes", "on"].includes(own) || general === "true";
}
