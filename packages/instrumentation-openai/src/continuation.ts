import type { Dialect } from "@thoughtflow/dialects";
import type { GenAiMessage } from "@thoughtflow/semconv";
import { isToolCallPart, isToolCallResponsePart } from "@thoughtflow/semconv";

/** The ids by which a request says that it goes on with an earlier answer, the newest first. */
export function continuedIds(dialect: Dialect, request: unknown): readonly string[] {
  const previous = (request as { readonly previous_response_id?: unknown } | null | undefined)
    ?.previous_response_id;
  const ids = typeof previous === "string" ? [previous] : [];
  const items = dialect.inputItems(request);
  for (let at = items.length - 1; at >= 0; at--) {
    const id = answeredCallId(items[at]);
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

/** The call that a tool message or a Responses output item answers; a legacy function's has no id. */
function answeredCallId(item: unknown): string | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { tool_call_id, call_id, role } = item as {
    readonly tool_call_id?: unknown;
    readonly call_id?: unknown;
    readonly role?: unknown;
  };
  const id = tool_call_id ?? call_id ?? (role === "function" ? "" : undefined);
  return typeof id === "string" ? id : undefined;
}

/** Whether an input begins with all of an earlier one, as far as roles and plain texts tell. */
export function continuesInput(earlier: readonly unknown[], input: readonly unknown[]): boolean {
  return earlier.length < input.length && earlier.every((item, at) => isSameItem(item, input[at]));
}

function isSameItem(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const [one, other] = [left, right].map((item) => (item ?? {}) as Record<string, unknown>);
  if (one?.["role"] !== other?.["role"] || one?.["type"] !== other?.["type"]) return false;
  const texts = [one?.["content"], other?.["content"]];
  return texts[0] === texts[1] || texts.every((content) => typeof content === "object");
}

/** The calls that an answer asks the application to make; those that the provider has answered are not. */
export function requestedCallIds(output: readonly GenAiMessage[]): readonly string[] {
  const ids: string[] = [];
  const answered = new Set<string | undefined>();
  for (const { parts } of output) {
    for (const part of parts) {
      if (isToolCallPart(part)) ids.push(part.id ?? "");
      else if (isToolCallResponsePart(part)) answered.add(part.id);
    }
  }
  return answered.size === 0 ? ids : ids.filter((id) => !answered.has(id));
}
