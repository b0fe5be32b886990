import { ATTR_THOUGHTFLOW_RUN_ID } from "@thoughtflow/semconv";
import { createFreeIds } from "./free-ids.ts";
import type { SpanNode } from "./span-node.ts";
import { textAttribute } from "./span-node.ts";
import type { SpanRun } from "./span-runs.ts";
import { spanRuns } from "./span-runs.ts";
import type { RunDraft } from "./step-draft.ts";

/**
 * The runs of a session, each with its id: the program's own, else `r_<16 hex of the local-root span id>`. An id
 * that two runs claim stays with the first; the others get `~<4 hex of their root's span id>`.
 */
export function runDrafts(spans: readonly SpanNode[]): RunDraft[] {
  const ids = createFreeIds();
  return spanRuns(spans).map((run) => ({
    id: ids.take(claimedRunId(run), run.rootSpanId),
    spans: run,
    steps: [],
  }));
}

/** The id that a run would have if no other had it. */
export function claimedRunId({ root, spans, rootSpanId }: SpanRun): string {
  const own = root === undefined ? undefined : textAttribute(root.record, ATTR_THOUGHTFLOW_RUN_ID);
  if (own !== undefined) return own;
  for (const { record } of spans) {
    const id = textAttribute(record, ATTR_THOUGHTFLOW_RUN_ID);
    if (id !== undefined) return id;
  }
  return `r_${rootSpanId}`;
}
