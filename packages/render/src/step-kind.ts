import type { Step } from "@thoughtflow/schema";
import {
  agentWords,
  isInterruption,
  isResumption,
  isSummaryOfHistory,
  programWords,
} from "@thoughtflow/workflow";

/** The families of labels: what a step is coloured by and which lane of the timeline it runs in. */
export type StepKind =
  | "user"
  | "model"
  | "answer"
  | "tool"
  | "thought"
  | "memory"
  | "context"
  | "agent"
  | "other";

/** All kinds, in the order in which lanes and legends name them. */
export const stepKinds: readonly StepKind[] = [
  "user",
  "context",
  "agent",
  "thought",
  "model",
  "tool",
  "memory",
  "answer",
  "other",
];

const labels: ReadonlyMap<string, readonly [StepKind, string]> = new Map([
  ["user_message", ["user", "user"]],
  ["assistant_call", ["model", "model"]],
  ["assistant_message", ["answer", "answer"]],
  ["tool_call", ["tool", "tool"]],
  ["tool_output", ["tool", "output"]],
  ["tool_error", ["tool", "tool error"]],
  ["thought", ["thought", "thought"]],
  ["node", ["agent", "node"]],
  ["agent", ["agent", "agent"]],
  ["handoff", ["agent", "handoff"]],
  ["retrieval", ["memory", "retrieval"]],
  ["embedding", ["memory", "embedding"]],
  ["memory_read", ["memory", "memory read"]],
  ["memory_write", ["memory", "memory write"]],
  ["evaluation", ["other", "evaluation"]],
  ["approval", ["user", "approval"]],
  ["policy.snapshot", ["context", "policy"]],
  ["tool.schemas.snapshot", ["context", "tool schemas"]],
  ["channel.preamble", ["context", "channel"]],
  ["note", ["context", "note"]],
  ["context.preamble", ["context", "context"]],
  ["prompt.adaptations", ["context", "adaptations"]],
]);

/** The family of a step's label; unknown labels are `other`. What another agent said in a user's place is a hand-over, what a program did a note. */
export function kindOf(step: Step): StepKind {
  return labels.get(shownLabel(step))?.[0] ?? "other";
}

/** A step's label in one or two words of plain English; an unknown label as it stands. */
export function labelWord(step: Step): string {
  const label = shownLabel(step);
  return labels.get(label)?.[1] ?? label;
}

function shownLabel(step: Step): string {
  const { label } = step;
  if (label !== "user_message") return label;
  const text = step.payload_started?.["text"];
  if (typeof text !== "string") return label;
  if (programWords(text) !== undefined || isInterruption(text)) return "note";
  if (isSummaryOfHistory(text)) return "note";
  // Where a person typed it, a prompt of its own is recorded.
  if (step.origin !== "recorded" && isResumption(text)) return "note";
  return agentWords(text) === undefined ? label : "handoff";
}
