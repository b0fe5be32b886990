/**
 * The kinds of thought that are known; any other is kept as it is. The first seven are Thoughtbox's and carry
 * fields of their own; the last six are those of the `think_aloud` tool.
 */
export const THOUGHT_TYPES = [
  "reasoning",
  "decision_frame",
  "action_report",
  "belief_snapshot",
  "assumption_update",
  "context_snapshot",
  "progress",
  "planning",
  "reflection",
  "decision",
  "observation",
  "critique",
] as const;

/** A known kind, or any other word. */
export type ThoughtType = (typeof THOUGHT_TYPES)[number] | (string & {});

/** What a thought without a type is. */
export const DEFAULT_THOUGHT_TYPE = "reasoning";
