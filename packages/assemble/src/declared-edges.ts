import type { EdgeOrigin } from "@thoughtflow/schema";
import {
  ATTR_THOUGHTFLOW_DEPENDS_ON,
  ATTR_THOUGHTFLOW_DEPENDS_ON_TYPES,
  ATTR_THOUGHTFLOW_EDGE_ORIGIN,
  ATTR_THOUGHTFLOW_LINK_TYPE,
} from "@thoughtflow/semconv";
import { listAttribute } from "./span-node.ts";
import { addEdge, type RunDraft, type StepDraft } from "./step-draft.ts";
import type { StepNames } from "./step-names.ts";

/**
 * The edges that programs declared: `thoughtflow.depends_on` first, which no limit cuts, then span links to
 * steps that it does not name. What a run declares as a whole, its first step rests on. Targets that no step
 * has stay as they were written.
 */
export function addDeclaredEdges(runs: readonly RunDraft[], names: StepNames): void {
  const bySpan = new Map<string, StepDraft>();
  for (const run of runs) {
    for (const step of run.steps) {
      const { traceId, spanId } = step.span.record;
      if (step.origin === "recorded") bySpan.set(`${traceId}/${spanId}`, step);
    }
  }
  for (const run of runs) {
    const recorded = run.steps.filter((step) => step.origin === "recorded");
    for (const step of recorded) addFrom(step, step.span);
    const { root } = run.spans;
    const [first] = recorded;
    if (root !== undefined && first !== undefined && !recorded.some((step) => step.span === root))
      addFrom(first, root);
  }

  function addFrom(step: StepDraft, { record }: StepDraft["span"]): void {
    const types = listAttribute(record, ATTR_THOUGHTFLOW_DEPENDS_ON_TYPES);
    for (const [i, name] of listAttribute(record, ATTR_THOUGHTFLOW_DEPENDS_ON).entries()) {
      const to = names.resolve(name, step.run) ?? name;
      addEdge(step, { to, type: types[i] || "depends_on", origin: "declared" });
    }
    if (record.links.length === 0) return;
    const targets = new Set([...step.edges.values()].map((edge) => edge.to));
    for (const { traceId, spanId, attributes } of record.links) {
      const to = bySpan.get(`${traceId}/${spanId}`);
      if (to === undefined || targets.has(to)) continue;
      const type = attributes[ATTR_THOUGHTFLOW_LINK_TYPE];
      // A copy, for backends, of what the messages tell step by step.
      if (type === "continues" && attributes[ATTR_THOUGHTFLOW_EDGE_ORIGIN] !== "declared") continue;
      targets.add(to);
      addEdge(step, {
        to,
        type: typeof type === "string" && type !== "" ? type : "related_to",
        origin: originOf(attributes[ATTR_THOUGHTFLOW_EDGE_ORIGIN]),
        evidence: "span link",
      });
    }
  }
}

function originOf(value: unknown): EdgeOrigin {
  return value === "declared" || value === "inferred" ? value : "observed";
}
