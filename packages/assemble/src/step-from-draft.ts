import type { Edge, Step } from "@thoughtflow/schema";
import { agentIdOf } from "./agents.ts";
import { mergedPayload } from "./payload.ts";
import { present } from "./present.ts";
import type { EdgeDraft, StepDraft } from "./step-draft.ts";
import type { StepNames } from "./step-names.ts";
import { setPayload } from "./step-payloads.ts";
import { isoFromNanoseconds, latest, millisecondsBetween } from "./time.ts";

/** Edge types that order or compare steps without one resting on the other. */
const NO_DEPENDENCY: ReadonlySet<string> = new Set([
  "sequential",
  "follows",
  "content_reuse",
  "request_sequence",
]);

/** A draft as it stands in the document. */
export function stepFromDraft(draft: StepDraft, names: StepNames): Step {
  const { run, span, started, ended } = draft;
  const { traceId, spanId } = span.record;
  const edges = draft.edges.map((edge) => edgeFromDraft(edge, draft, names));
  const dependsOn = [
    ...new Set(edges.filter((edge) => !NO_DEPENDENCY.has(edge.type)).map((edge) => edge.to)),
  ];
  const wait = millisecondsBetween(latest(draftsOf(draft).map((to) => to.ended)), started);
  const input = draft.input?.map((step) => names.nameFor(step, run));
  const step: Step = {
    step_id: draft.id,
    label: draft.label,
    trace_id: traceId,
    span_id: spanId,
    origin: draft.origin,
    ...present({
      depends_on: dependsOn.length > 1 ? dependsOn : dependsOn[0],
      started_at: isoFromNanoseconds(started),
      ended_at: isoFromNanoseconds(ended),
      duration_ms: millisecondsBetween(started, ended),
      wait_ms: wait,
      status: draft.status,
      parent_step_id: draft.parent?.run === run ? draft.parent.id : undefined,
      outer_span_id: draft.outerSpanId,
      agent_id: agentIdOf(span),
      aliases: draft.aliases && [...draft.aliases].toSorted(),
      usage: draft.usage,
      cost: draft.cost,
      error: draft.error,
      edges: edges.length > 0 ? edges : undefined,
    }),
  };
  setPayload(
    step,
    "payload_started",
    input === undefined ? draft.payloadStarted : mergedPayload(draft.payloadStarted, { input }),
  );
  setPayload(step, "payload_completed", draft.payloadCompleted);
  return step;
}

function edgeFromDraft(
  { to, type, origin, confidence, evidence }: EdgeDraft,
  from: StepDraft,
  names: StepNames,
): Edge {
  return {
    to: typeof to === "string" ? to : names.nameFor(to, from.run),
    type,
    origin,
    ...present({ confidence, evidence }),
  };
}

function draftsOf(draft: StepDraft): StepDraft[] {
  return draft.edges
    .filter((edge) => !NO_DEPENDENCY.has(edge.type))
    .map((edge) => edge.to)
    .filter((to) => typeof to !== "string");
}
