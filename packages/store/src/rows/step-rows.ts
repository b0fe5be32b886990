import type { Run, Step } from "@thoughtflow/schema";
import type { Insertable } from "kysely";
import type { EdgesTable, SnapshotsTable, StepsTable, ThoughtsTable } from "../tables.ts";
import {
  columnText,
  integerOrNull,
  jsonOrNull,
  longTextOrNull,
  momentOrNull,
  textOrNull,
} from "./column-values.ts";

interface Place {
  readonly session_id: string;
  readonly run: number;
  readonly step: number;
}

/** The row of a step. */
export function stepRow(run: Run, step: Step, place: Place): Insertable<StepsTable> {
  return {
    ...place,
    step_id: columnText(step.step_id),
    run_id: columnText(run.conversation_id),
    label: columnText(step.label),
    name: textOrNull(nameOf(step)),
    status: textOrNull(step.status),
    origin: textOrNull(step.origin),
    agent_id: textOrNull(step.agent_id ?? run.agent),
    started_at: momentOrNull(step.started_at),
    ended_at: momentOrNull(step.ended_at),
    duration_ms: integerOrNull(step.duration_ms),
    wait_ms: integerOrNull(step.wait_ms),
    trace_id: textOrNull(step.trace_id),
    span_id: textOrNull(step.span_id),
    parent_step_id: textOrNull(step.parent_step_id),
    error_type: textOrNull(step.error?.type),
    payload_started: jsonOrNull(step.payload_started),
    payload_completed: jsonOrNull(step.payload_completed),
    error: jsonOrNull(step.error),
    usage: jsonOrNull(step.usage),
    cost: jsonOrNull(step.cost),
  };
}

/** The rows of what a step rests on. */
export function edgeRows(step: Step, place: Place): readonly EdgesTable[] {
  return (step.edges ?? []).map((edge, position) => ({
    ...place,
    edge: position,
    from_step: columnText(step.step_id),
    to_step: columnText(edge.to),
    type: columnText(edge.type),
    origin: edge.origin,
    confidence: edge.confidence ?? null,
    evidence: longTextOrNull(edge.evidence),
  }));
}

/** The row of a thought; none of another step. */
export function thoughtRows(step: Step, place: Place): readonly ThoughtsTable[] {
  if (step.label !== "thought") return [];
  const started = step.payload_started ?? {};
  const number = started["thoughtNumber"];
  return [
    {
      ...place,
      id: columnText(step.step_id),
      thought_type: textOrNull(started["thought_type"]),
      thought: longTextOrNull(started["thought"]),
      confidence: confidenceOf(started["confidence"]),
      thought_number: typeof number === "number" ? integerOrNull(number) : null,
      branch_id: textOrNull(started["branchId"]),
      details: jsonOrNull(step.payload_started),
    },
  ];
}

const SNAPSHOT_LABELS: ReadonlySet<string> = new Set([
  "policy.snapshot",
  "tool.schemas.snapshot",
  "channel.preamble",
  "context.preamble",
  "prompt.adaptations",
]);

/** The row of a snapshot; none of another step. */
export function snapshotRows(step: Step, place: Place): readonly SnapshotsTable[] {
  if (!SNAPSHOT_LABELS.has(step.label)) return [];
  const payload = { ...step.payload_started, ...step.payload_completed };
  return [
    {
      ...place,
      id: columnText(step.step_id),
      kind: step.label,
      version: textOrNull(payload["version"]),
      details: jsonOrNull(payload),
    },
  ];
}

function nameOf({ label, payload_started: started = {} }: Step): unknown {
  return label === "assistant_call" ? started["model"] : started["name"];
}

const CONFIDENCE_WORDS: Readonly<Record<string, number>> = { high: 0.9, medium: 0.6, low: 0.3 };

function confidenceOf(value: unknown): number | null {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  return typeof value === "string" && Object.hasOwn(CONFIDENCE_WORDS, value)
    ? (CONFIDENCE_WORDS[value] ?? null)
    : null;
}
