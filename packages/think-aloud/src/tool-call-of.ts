/** A tool call, as far as the tool needs it. */
export interface GivenCall {
  readonly name?: string;
  readonly callId?: string;
  readonly args: unknown;
}

/**
 * What was given to execute: a tool call of chat completions, of the Responses API or of MCP, or the arguments alone, as an
 * object or as JSON text.
 */
export function toolCallOf(given: unknown): GivenCall {
  if (!isObject(given)) return { args: given };
  const holder = [given["function"], given["params"], given].find(
    (one) => isObject(one) && "arguments" in one,
  );
  // An argument of the tool could be called like that, but never beside the thought itself.
  if (!isObject(holder) || "thought" in holder) return { args: given };
  const { name, arguments: args } = holder;
  const id = given["call_id"] ?? given["id"];
  return {
    args,
    ...(typeof name === "string" && { name }),
    ...(typeof id === "string" && id !== "" && { callId: id }),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
