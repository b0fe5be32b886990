/** Looking into a session without loading zod: `@thoughtflow/schema/steps`. */
export { EVIDENCE_COMPACTION, isAfterCompaction } from "./compactions.ts";
export { type Confidence, confidenceValue } from "./confidence.ts";
export { dependenciesOf } from "./dependencies-of.ts";
export { inputOf } from "./input-of.ts";
export { isKnownMoment, knownDuration } from "./known-times.ts";
export { createStepIndex, type PlacedStep, type StepIndex } from "./step-index.ts";
