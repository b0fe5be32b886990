import type { Dialect } from "@thoughtflow/dialects";
import type { GenAiMessage } from "@thoughtflow/semconv";
import { isToolCallPart } from "@thoughtflow/semconv";

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

/** The call that a tool message or a Responses output item answers. */
function answeredCallId(item: unknown): string | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { tool_call_id, call_id } = item as {
    readonly tool_call_id?: unknown;
    readonly call_id?: unknown;
  };
  const id = tool_call_id ?? call_id;
  return typeof id === "string" ? id : undefined;
}

/** The calls that an answer asks the application to make. */
export function requestedCallIds(output: readonly GenAiMessage[]): readonly string[] {
  return output.flatMap(({ parts }) =>
    parts.flatMap((part) => (isToolCallPart(part) ? [part.id ?? ""] : [])),
  );
}
