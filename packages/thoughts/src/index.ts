export type { Confidence } from "./confidence.ts";
export { confidenceValue } from "./confidence.ts";
export type { Thought } from "./thought.ts";
export { thoughtIdFrom } from "./thought-id.ts";
export type { NumberedThought, ThoughtBranch } from "./thought-number.ts";
export { nextThoughtNumber } from "./thought-number.ts";
export type { ThoughtType } from "./thought-type.ts";
export { DEFAULT_THOUGHT_TYPE, THOUGHT_TYPES } from "./thought-type.ts";
export { titleFrom } from "./title.ts";
