// The application's view: sessions, runs, steps

// For instrumentations and processors: content beside spans, and its text
export type { ModelCallContent, SpanContent, ValuesContent } from "./content.ts";
export { attachContent, contentOf } from "./content.ts";
export { contentAttributesOf } from "./content-attributes.ts";
export type { Dependency, DependencyTarget } from "./dependencies.ts";
export { exposeContent, setSpanContentCapture, spanContentCapture } from "./expose-content.ts";
// For instrumentations and processors: which session and run a span belongs to
export type { RunScope, SessionScope } from "./flow-context.ts";
export { flowAttributesOf, runOf, sessionOf } from "./flow-context.ts";
export type {
  RunHandle,
  SessionHandle,
  SessionStatus,
  StepHandle,
  StepReference,
} from "./handles.ts";
export type { MaterialisedMessage } from "./materialise.ts";
export { inputMessagesOf, outputMessagesOf } from "./materialise.ts";
// Short forms of common steps
export { type MemoryWriteOptions, memoryWrite } from "./memory.ts";
export { assistantMessage, type MessageOptions, userMessage } from "./message.ts";
export type { StepOptions } from "./open-step.ts";
export {
  type ComposeOptions,
  composePrompt,
  type PromptPart,
  type PromptProvenance,
  type PromptRange,
} from "./prompt.ts";
export { currentRedactor, setRedactor } from "./redaction.ts";
export { activeRun, type RunOptions, type RunTrigger, withRun } from "./run.ts";
export { type Score, type ScoreTarget, score } from "./score.ts";
export { activeSession, type SessionOptions, withSession } from "./session.ts";
export { type SnapshotKind, type SnapshotOptions, snapshot } from "./snapshot.ts";
export { activeStep, type MomentOptions, recordStep, withStep } from "./step.ts";
export type { KnownStepLabel, StepLabel } from "./step-label.ts";
export {
  recordThought,
  type ThoughtHandle,
  type ThoughtOptions,
  type ThoughtType,
} from "./thought.ts";
export { type ToolCallOptions, withToolCall } from "./tool-call.ts";

// For set-up code
export { beforeFirstSpan } from "./tracer.ts";
