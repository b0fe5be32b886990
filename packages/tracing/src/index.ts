// What an application calls: sessions, runs, steps

export type { Dependency, DependencyTarget } from "./dependency.ts";
export type { RunHandle, SessionHandle, SessionStatus, StepHandle } from "./handles.ts";
export type { RunDescription, RunTrigger } from "./open-run.ts";
export type { StepOptions } from "./open-step.ts";
export { activeRun, type RunOptions, withRun } from "./run.ts";
export { activeSession, type SessionOptions, withSession } from "./session.ts";
export { activeStep, type MomentOptions, recordStep, withStep } from "./step.ts";
export type { KnownStepLabel, StepLabel } from "./step-label.ts";
export type { StepReference } from "./step-reference.ts";

// Short forms of common steps

export { type MemoryWriteOptions, memoryWrite } from "./memory.ts";
export { assistantMessage, type MessageOptions, userMessage } from "./message.ts";
export { type Score, type ScoreTarget, score } from "./score.ts";
export { type SnapshotKind, type SnapshotOptions, snapshot } from "./snapshot.ts";
export { recordThought, type ThoughtHandle } from "./thought.ts";
export type { ThoughtOptions } from "./thought-options.ts";
export {
  subscribeToThoughts,
  type ThoughtListener,
  type ThoughtSource,
  type ThoughtStreamEvent,
} from "./thought-stream.ts";
export { type ToolCallOptions, withToolCall } from "./tool-call.ts";
export { type NodeFunction, traceNode, traceNodes } from "./trace-node.ts";
export { type ToolFunction, type TracedToolOptions, traceTool, traceTools } from "./trace-tool.ts";

// How a prompt came about

export { type ComposeOptions, composePrompt, type PromptMessage } from "./prompt.ts";
export type { PromptPart, PromptRole } from "./prompt-part.ts";
