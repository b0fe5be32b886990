import type { Step } from "./document.ts";

/** The evidence of a `continues` edge where a summary took the place of what was said before. */
export const EVIDENCE_COMPACTION = "compaction";

/** Whether the conversation was compacted right before a model call. */
export function isAfterCompaction({ edges = [] }: Pick<Step, "edges">): boolean {
  return edges.some(
    ({ type, evidence }) => type === "continues" && evidence === EVIDENCE_COMPACTION,
  );
}
