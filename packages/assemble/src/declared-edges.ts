import { ATTR_THOUGHTFLOW_EDGE_ORIGIN, ATTR_THOUGHTFLOW_LINK_TYPE } from "@thoughtflow/semconv";
import { dependsOn, originOf } from "./depends-on.ts";
import { addEdge, type RunDraft, type StepDraft } from "./step-draft.ts";
import type { StepNames } from "./step-names.ts";
import { isElsewhere } from "./step-names.ts";

/** Of what an instrumentation inferred without saying how sure it is. */
const CONFIDENCE_INFERRED = 0.9;

/**
 * The edges that spans tell: `thoughtflow.depends_on` first, which no limit cuts, then span links to steps that it
 * does not name. What a run declares as a whole, its first step rests on. Declared targets that no step has stay as
 * they were written.
 */
export function addDeclaredEdges(runs: readonly RunDraft[], names: StepNames): void {
  let bySpan: ReadonlyMap<string, StepDraft> | undefined;
  for (const run of runs) {
    const recorded = run.steps.filter((step) => step.origin === "recorded");
    for (const step of recorded) addFrom(step, step.span);
    const { root, spans } = run.spans;
    const [first] = recorded;
    // The root is one of the first slice of a run.
    const isBeginning = root !== undefined && spans.includes(root);
    if (isBeginning && first !== undefined && !recorded.some((step) => step.span === root))
      addFrom(first, root);
  }

  function addFrom(step: StepDraft, { record }: StepDraft["span"]): void {
    for (const { name, type, origin, confidence: told, evidence } of dependsOn(record)) {
      const to = names.resolve(name, step.run) ?? name;
      // What was observed is a copy of what the messages tell, if they tell it.
      if (typeof to === "string" && origin !== "declared" && !isElsewhere(to)) continue;
      const confidence = origin === "inferred" && { confidence: told ?? CONFIDENCE_INFERRED };
      addEdge(step, {
        to,
        type,
        origin,
        ...confidence,
        ...(evidence !== undefined && { evidence }),
      });
    }
    if (record.links.length === 0) return;
    bySpan ??= recordedBySpan(runs);
    const targets = new Set(step.edges.map((edge) => edge.to));
    const spans = new Set([...targets].map((to) => (typeof to === "string" ? to : to.span)));
    for (const { traceId, spanId, attributes } of record.links) {
      const to = bySpan.get(`${traceId}/${spanId}`);
      const type = attributes[ATTR_THOUGHTFLOW_LINK_TYPE];
      if (to === undefined || targets.has(to)) continue;
      // One that reads a tool's output is linked to the tool.
      if (type === "reads" && spans.has(to.span)) continue;
      // A copy, for backends, of what the messages tell step by step.
      if (type === "continues" && attributes[ATTR_THOUGHTFLOW_EDGE_ORIGIN] !== "declared") continue;
      targets.add(to);
      addEdge(step, {
        to,
        type: typeof type === "string" && type !== "" ? type : "related_to",
        origin: originOf(attributes[ATTR_THOUGHTFLOW_EDGE_ORIGIN], "observed"),
        evidence: "span link",
      });
    }
  }
}

/** By `<trace id>/<span id>`. */
function recordedBySpan(runs: readonly RunDraft[]): ReadonlyMap<string, StepDraft> {
  const bySpan = new Map<string, StepDraft>();
  for (const run of runs) {
    for (const step of run.steps) {
      const { traceId, spanId } = step.span.record;
      if (step.origin === "recorded") bySpan.set(`${traceId}/${spanId}`, step);
    }
  }
  return bySpan;
}
