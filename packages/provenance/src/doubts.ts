import type { Edge, Session, Step } from "@thoughtflow/schema";
import { confidenceValue, createStepIndex, type PlacedStep } from "@thoughtflow/schema/steps";

/** A reason to look twice. */
export interface Doubt {
  readonly kind: "failed" | "revised" | "unsure" | "inferred" | "missing";
  readonly text: string;
}

/** Which doubts are told first: smaller is graver. */
export const GRAVITY: Readonly<Record<Doubt["kind"], number>> = {
  failed: 0,
  revised: 1,
  missing: 2,
  unsure: 3,
  inferred: 4,
};

/** Below this a thought is unsure of itself. */
const SURE = 0.5;

/** The thoughts that a later one revises, with its id. */
export type Revisions = ReadonlyMap<Step, string>;

/** Which thoughts of a session were revised, and by which later one. */
export function revisionsIn(session: Session): Revisions {
  const index = createStepIndex(session);
  const revisions = new Map<Step, string>();
  for (const run of session.conversations) {
    for (const { step_id: by, edges = [] } of run.steps) {
      for (const { type, to } of edges) {
        const revised = type === "revises" ? index(to, run)?.step : undefined;
        if (revised !== undefined) revisions.set(revised, by);
      }
    }
  }
  return revisions;
}

/** What is to be doubted of a step by itself; of an id that no step has, that. */
export function doubtsOfStep(
  id: string,
  placed: PlacedStep | undefined,
  revisions: Revisions,
): readonly Doubt[] {
  if (placed === undefined) {
    const elsewhere = /^[0-9a-f]{32}\//.test(id);
    return [{ kind: "missing", text: elsewhere ? "in another session" : "no such step" }];
  }
  const { step } = placed;
  const failed = failureOf(step);
  const by = revisions.get(step);
  const confidence = step.label === "thought" ? step.payload_started?.["confidence"] : undefined;
  const sure = confidenceValue(confidence);
  return [
    ...(failed === undefined ? [] : [{ kind: "failed", text: failed } as const]),
    ...(by === undefined ? [] : [{ kind: "revised", text: `revised by ${by}` } as const]),
    ...(sure === undefined || sure >= SURE
      ? []
      : [{ kind: "unsure", text: `confidence ${confidence}` } as const]),
  ];
}

/** What is to be doubted of the way to a step. */
export function doubtsOfEdge(edge: Edge | undefined): readonly Doubt[] {
  if (edge?.origin !== "inferred") return [];
  const how = edge.confidence === undefined ? "" : ` ${edge.confidence}`;
  return [{ kind: "inferred", text: `inferred${how}` }];
}

/** What went wrong with a step in a few words; `undefined` when nothing did. */
function failureOf({
  label,
  status,
  error,
  payload_completed: completed,
}: Step): string | undefined {
  const said = error ?? (label === "tool_error" ? completed?.["error"] : undefined);
  if (said === undefined) return status === "error" ? "failed" : undefined;
  if (typeof said !== "object" || said === null) return String(said);
  const { type, message } = said as { readonly type?: unknown; readonly message?: unknown };
  const words = [type, message].filter((word) => typeof word === "string" && word !== "");
  return words.length === 0 ? "failed" : words.join(": ");
}
