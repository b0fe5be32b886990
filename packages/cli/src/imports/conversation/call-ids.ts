import { type GenAiPart, isToolCallPart } from "@thoughtflow/semconv";

/** Tool calls without an id get one of their place in the answer, in the message as in their span: results and steps are joined by it. */
export function withCallIds(
  parts: readonly GenAiPart[],
  { spanId, parts: before }: { readonly spanId: string; readonly parts: readonly unknown[] },
): readonly GenAiPart[] {
  if (!parts.some(lacksId)) return parts;
  return parts.map((part, nth) =>
    lacksId(part) ? { ...part, id: `${spanId}.${before.length + nth + 1}` } : part,
  );
}

/** Whether a tool call has the id of its place: its program gave it none. */
export function isIdOfPlace(id: string): boolean {
  return /^[\da-f]{16}\.\d+$/.test(id);
}

function lacksId(part: GenAiPart): boolean {
  return isToolCallPart(part) && (typeof part.id !== "string" || part.id === "");
}
