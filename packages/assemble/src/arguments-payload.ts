/** `args` when they are JSON, `args_text` when they are only text. */
export function argumentsPayload(args: unknown): Record<string, unknown> {
  if (args === undefined) return {};
  return typeof args === "string" ? { args_text: args } : { args };
}
