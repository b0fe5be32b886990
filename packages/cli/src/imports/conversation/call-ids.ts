import { type GenAiPart, isToolCallPart } from "@thoughtflow/semconv";

/** Tool calls without an id get one of their place in the answer, in the message as in their span: results and steps are joined by it. */
export function withCallIds(
  parts: readonly GenAiPart[],
  { spanId, parts: before }: { readonly spanId: string; readonly parts: readonly GenAiPart[] },
): readonly GenAiPart[] {
  return parts.map((part, nth) =>
    isToolCallPart(part) && (part.id === undefined || part.id === "")
      ? { ...part, id: `${spanId}.${before.length + nth + 1}` }
      : part,
  );
}
