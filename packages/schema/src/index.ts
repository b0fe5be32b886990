// The document

// Reading and writing
export {
  canonicalChunks,
  canonicalJson,
  compactChunks,
  compactJson,
  stableJson,
} from "./canonical.ts";
// Looking into a session
export { checkSession } from "./check-session.ts";
// Records
export type { ContentList } from "./content-list.ts";
export {
  Agent,
  Completeness,
  Conflict,
  Cost,
  Edge,
  EdgeOrigin,
  FlowError,
  Part,
  Run,
  Session,
  Step,
  TotalCost,
  Totals,
  Usage,
  Warning,
} from "./document.ts";
export { sessionJsonSchema } from "./json-schema.ts";
export { type Problem, type ProblemCode, pathText } from "./problem.ts";
export { type ReadResult, readSession } from "./read-session.ts";
export type {
  Attributes,
  AttributeValue,
  ContentAttributes,
  FlowRecord,
  Scope,
  SessionRecord,
  SpanEvent,
  SpanKind,
  SpanLink,
  SpanRecord,
  SpanStatus,
  TombstoneRecord,
} from "./record.ts";
export { SCHEMA_VERSION } from "./schema-version.ts";
export {
  createStepIndex,
  dependenciesOf,
  inputOf,
  type PlacedStep,
  type StepIndex,
} from "./steps.ts";
export type { StoredText } from "./stored-text.ts";
