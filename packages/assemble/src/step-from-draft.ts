import type { Edge, Step } from "@thoughtflow/schema";
import { agentIdOf } from "./agents.ts";
import { otherAttributes } from "./other-attributes.ts";
import { mergedPayload } from "./payload.ts";
import type { EdgeDraft, StepDraft } from "./step-draft.ts";
import type { StepNames } from "./step-names.ts";
import { setPayload } from "./step-payloads.ts";
import { isoFromNanoseconds, millisecondsBetween } from "./time.ts";

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
  const input = draft.input?.map((step) => names.nameFor(step, run));
  const step: Step = { step_id: draft.id, label: draft.label };
  // In the order in which it is written, so that the writer need not sort it.
  setPresent(step, "depends_on", oneOrMore(dependsOn(edges)));
  setPresent(step, "started_at", isoFromNanoseconds(started));
  setPresent(step, "ended_at", isoFromNanoseconds(ended));
  setPresent(step, "duration_ms", millisecondsBetween(started, ended));
  setPresent(step, "wait_ms", millisecondsBetween(endOfWait(draft), started));
  setPresent(step, "status", draft.status);
  step.origin = draft.origin;
  step.trace_id = traceId;
  step.span_id = spanId;
  if (draft.parent?.run === run) step.parent_step_id = draft.parent.id;
  setPresent(step, "outer_span_id", draft.outerSpanId);
  setPresent(step, "agent_id", agentIdOf(span));
  setPresent(step, "aliases", draft.aliases && [...draft.aliases].toSorted());
  setPayload(
    step,
    "payload_started",
    input === undefined ? draft.payloadStarted : mergedPayload(draft.payloadStarted, { input }),
  );
  setPayload(step, "payload_completed", draft.payloadCompleted);
  setPresent(step, "usage", draft.usage);
  setPresent(step, "cost", draft.cost);
  setPresent(step, "error", draft.error);
  if (edges.length > 0) step.edges = edges;
  if (draft.origin === "recorded") setPresent(step, "attributes", otherAttributes(span.record));
  return step;
}

function setPresent<K extends keyof Step>(step: Step, key: K, value: Step[K]): void {
  if (value !== undefined) step[key] = value;
}

/** The targets of the edges that a step rests on, each once. */
function dependsOn(edges: readonly Edge[]): readonly string[] {
  const targets: string[] = [];
  for (const { to, type } of edges) if (!NO_DEPENDENCY.has(type)) targets.push(to);
  return targets.length > 1 ? [...new Set(targets)] : targets;
}

function oneOrMore(ids: readonly string[]): string | string[] | undefined {
  return ids.length > 1 ? [...ids] : ids[0];
}

/** When the last of what a step rests on ended. */
function endOfWait({ edges }: StepDraft): bigint | undefined {
  let last: bigint | undefined;
  for (const { to, type } of edges) {
    if (typeof to === "string" || NO_DEPENDENCY.has(type) || to.ended === undefined) continue;
    if (last === undefined || to.ended > last) last = to.ended;
  }
  return last;
}

function edgeFromDraft(
  { to, type, origin, confidence, evidence }: EdgeDraft,
  from: StepDraft,
  names: StepNames,
): Edge {
  const edge: Edge = {
    to: typeof to === "string" ? to : names.nameFor(to, from.run),
    type,
    origin,
  };
  if (confidence !== undefined) edge.confidence = confidence;
  if (evidence !== undefined) edge.evidence = evidence;
  return edge;
}
