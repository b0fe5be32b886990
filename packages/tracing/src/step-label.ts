/** The labels that diagrams and readers know; any other is kept as it is. */
export type KnownStepLabel =
  | "user_message"
  | "assistant_message"
  | "assistant_call"
  | "tool_call"
  | "tool_output"
  | "tool_error"
  | "thought"
  | "node"
  | "agent"
  | "handoff"
  | "retrieval"
  | "embedding"
  | "evaluation"
  | "approval"
  | "memory_read"
  | "memory_write"
  | "policy.snapshot"
  | "tool.schemas.snapshot"
  | "channel.preamble"
  | "context.preamble"
  | "prompt.adaptations"
  | "generic";

/** What kind of step. */
export type StepLabel = KnownStepLabel | (string & {});
