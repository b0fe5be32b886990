import { ATTR_THOUGHTFLOW_RUN_ID } from "@thoughtflow/semconv";
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
  const used = new Set<string>();
  return spanRuns(spans).map((run) => {
    const id = freeId(givenId(run), run.rootSpanId, used);
    used.add(id);
    return { id, spans: run, steps: [] };
  });
}

/** `id`, or the first of `id~abcd`, `id~abcd…` that is not used yet. */
export function freeId(id: string, spanId: string, used: { has(id: string): boolean }): string {
  if (!used.has(id)) return id;
  for (let length = 4; length <= spanId.length; length++) {
    const other = `${id}~${spanId.slice(0, length)}`;
    if (!used.has(other)) return other;
  }
  for (let n = 2; ; n++) if (!used.has(`${id}~${spanId}~${n}`)) return `${id}~${spanId}~${n}`;
}

function givenId({ root, spans, rootSpanId }: SpanRun): string {
  const own = root === undefined ? undefined : textAttribute(root.record, ATTR_THOUGHTFLOW_RUN_ID);
  if (own !== undefined) return own;
  for (const { record } of spans) {
    const id = textAttribute(record, ATTR_THOUGHTFLOW_RUN_ID);
    if (id !== undefined) return id;
  }
  return `r_${rootSpanId}`;
}
