/** Finish reasons in the spelling of the conventions; unknown ones stay as they are. */
export function finishReasonOf(reason: string): string {
  switch (reason) {
    case "tool_calls":
    case "function_call":
      return "tool_call";
    case "max_output_tokens":
    case "max_tokens":
      return "length";
    default:
      return reason;
  }
}
