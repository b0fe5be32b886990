import type { Edge, Step } from "@thoughtflow/schema";
import { agentIdOf } from "./agents.ts";
import { otherAttributes } from "./other-attributes.ts";
import { mergedPayload } from "./payload.ts";
import type { EdgeDraft, RunDraft, StepDraft } from "./step-draft.ts";
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
  const { run, span, started, ended, parent } = draft;
  const { traceId, spanId } = span.record;
  const edges = edgesFromDraft(draft, names);
  const restsOn = edges && dependsOn(edges);
  const startedAt = isoFromNanoseconds(started);
  const endedAt = isoFromNanoseconds(ended);
  const duration = millisecondsBetween(started, ended);
  const wait = millisecondsBetween(endOfWait(draft), started);
  const agentId = agentIdOf(span);
  const others = draft.origin === "recorded" ? otherAttributes(span.record) : undefined;
  // In the order in which it is written, so that the writer need not sort it.
  const step: Step = { step_id: draft.id, label: draft.label };
  if (restsOn !== undefined) step.depends_on = restsOn;
  if (startedAt !== undefined) step.started_at = startedAt;
  if (endedAt !== undefined) step.ended_at = endedAt;
  if (duration !== undefined) step.duration_ms = duration;
  if (wait !== undefined) step.wait_ms = wait;
  if (draft.status !== undefined) step.status = draft.status;
  step.origin = draft.origin;
  step.trace_id = traceId;
  step.span_id = spanId;
  if (parent?.run.id === run.id) step.parent_step_id = parent.id;
  if (draft.outerSpanId !== undefined) step.outer_span_id = draft.outerSpanId;
  if (agentId !== undefined) step.agent_id = agentId;
  if (draft.aliases !== undefined) step.aliases = [...draft.aliases].sort();
  setPayload(
    step,
    "payload_started",
    draft.input === undefined
      ? draft.payloadStarted
      : mergedPayload(draft.payloadStarted, { input: namesOf(draft.input, run, names) }),
  );
  setPayload(step, "payload_completed", draft.payloadCompleted);
  if (draft.usage !== undefined) step.usage = draft.usage;
  if (draft.cost !== undefined) step.cost = draft.cost;
  if (draft.error !== undefined) step.error = draft.error;
  if (edges !== undefined) step.edges = edges;
  if (others !== undefined) step.attributes = others;
  return step;
}

/** The targets of the edges that a step rests on, each once. */
function dependsOn(edges: readonly Edge[]): string | string[] | undefined {
  let first: string | undefined;
  let all: Set<string> | undefined;
  for (const { to, type } of edges) {
    if (NO_DEPENDENCY.has(type)) continue;
    first ??= to;
    if (to === first) continue;
    all ??= new Set([first]);
    all.add(to);
  }
  return all === undefined ? first : [...all];
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

function namesOf(steps: readonly StepDraft[], run: RunDraft, names: StepNames): readonly string[] {
  return steps.map((step) => names.nameFor(step, run));
}

function edgesFromDraft(draft: StepDraft, names: StepNames): Edge[] | undefined {
  if (draft.edges.length === 0) return undefined;
  return draft.edges.map((edge) => edgeFromDraft(edge, draft, names));
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
