import type { Completeness, Run, SessionRecord, Warning } from "@thoughtflow/schema";
import { compareMoments, type SpanNode } from "./span-node.ts";
import type { RunDraft } from "./step-draft.ts";

/** Somebody has deleted or cut off a journal that held some of the session, as the process that wrote it saw. */
export function journalsDeletedOf(decisions: readonly SessionRecord[]): readonly Warning[] {
  const message =
    "a journal with earlier records of this session was deleted or cut off while its process ran: steps may be missing";
  return decisions.some(({ reason }) => reason === "journal_deleted")
    ? [{ code: "journal_deleted", message }]
    : [];
}

/**
 * What the records themselves say is missing. `open`: what `openStepsOf` says of all runs; `deleted`: what
 * `journalsDeletedOf` says.
 */
export function completenessOf(
  spans: readonly SpanNode[],
  drafts: readonly RunDraft[],
  runs: readonly Run[],
  open: readonly string[],
  deleted: readonly Warning[],
): Completeness {
  const missing = [...new Set(drafts.flatMap((draft) => draft.spans.missingParents))].toSorted();
  const truncated = truncatedOf(spans);
  const isPartial =
    open.length > 0 ||
    missing.length > 0 ||
    truncated !== undefined ||
    deleted.length > 0 ||
    runs.some((run) => run.status === "running");
  return {
    status: isPartial ? "partial" : "complete",
    ...(open.length > 0 && { open_steps: [...open] }),
    ...(missing.length > 0 && { missing_parents: missing }),
    ...(truncated !== undefined && { truncated }),
  };
}

/** The steps of a run whose spans never ended, as `<run id>/<step id>`. */
export function openStepsOf({ id, steps }: RunDraft): readonly string[] {
  return steps
    .filter((step) => step.origin === "recorded" && step.span.end === undefined)
    .toSorted((a, b) => compareMoments(a.moment, b.moment))
    .map((step) => `${id}/${step.id}`);
}

function truncatedOf(spans: readonly SpanNode[]): Completeness["truncated"] | undefined {
  const counts = { links: 0, attributes: 0, events: 0 };
  for (const { record } of spans) {
    counts.links += record.droppedLinksCount ?? 0;
    counts.attributes += record.droppedAttributesCount ?? 0;
    counts.events += record.droppedEventsCount ?? 0;
  }
  const lost = Object.entries(counts).filter(([, count]) => count > 0);
  return lost.length === 0 ? undefined : Object.fromEntries(lost);
}
