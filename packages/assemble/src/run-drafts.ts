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
export function runDrafts(
  spans: readonly SpanNode[],
  isEarlier: (node: SpanNode) => boolean = never,
): RunDraft[] {
  const ids = createFreeIds();
  return spanRuns(spans).flatMap((run) => {
    const id = ids.take(claimedRunId(run), run.rootSpanId);
    return slicesOf(run, isEarlier).map((slice) => ({ id, ...slice, steps: [] }));
  });
}

function never(): boolean {
  return false;
}

/** What was told of a run before, and what was not. The root, which is read with each slice, belongs to the first one. */
function slicesOf(
  run: SpanRun,
  isEarlier: (node: SpanNode) => boolean,
): readonly Pick<RunDraft, "isEarlier" | "spans">[] {
  const before = run.spans.filter(isEarlier);
  if (before.length === 0) return [{ isEarlier: false, spans: run }];
  if (before.length === run.spans.length) return [{ isEarlier: true, spans: run }];
  const fresh = run.spans.filter((node) => !isEarlier(node));
  const slice = (spans: readonly SpanNode[]): SpanRun => ({
    ...run,
    spans,
    moment: spans[0]?.moment ?? run.moment,
  });
  const isRootAlone = before.length === 1 && before[0] === run.root;
  return [
    ...(isRootAlone ? [] : [{ isEarlier: true, spans: slice(before) }]),
    { isEarlier: false, spans: slice(fresh) },
  ];
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
