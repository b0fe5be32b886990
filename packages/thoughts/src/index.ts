export { type Confidence, confidenceValue } from "@thoughtflow/schema/steps";
export {
  type AloudThought,
  type ReadAloud,
  readThinkAloud,
} from "./think-aloud/read-think-aloud.ts";
export {
  isThinkAloud,
  THINK_ALOUD,
  THINK_ALOUD_TYPES,
  type ThinkAloudField,
  type ThinkAloudParameters,
  thinkAloudParameters,
} from "./think-aloud/think-aloud-fields.ts";
export { argumentsOfTag } from "./thinking-tags/arguments-of-tag.ts";
export type { TagAttributes } from "./thinking-tags/thinking-tag.ts";
export {
  createThinkingTagParser,
  type ThinkingTagListener,
  type ThinkingTagParser,
} from "./thinking-tags/thinking-tag-parser.ts";
export { type TaggedThought, thinkingTagsIn } from "./thinking-tags/thinking-tags-in.ts";
export type { BranchResolution, Thought } from "./thought.ts";
export { thoughtAttributes, thoughtFields } from "./thought-attributes.ts";
export { thoughtIdFrom } from "./thought-id.ts";
export type {
  PlacedThought,
  ThoughtLedger,
  ThoughtPlace,
  ThoughtRelation,
  ThoughtRelationType,
} from "./thought-ledger.ts";
export { createThoughtLedger } from "./thought-ledger.ts";
export type { NumberedThought, ThoughtBranch } from "./thought-number.ts";
export { nextThoughtNumber } from "./thought-number.ts";
export type { ThoughtType } from "./thought-type.ts";
export { DEFAULT_THOUGHT_TYPE, THOUGHT_TYPES } from "./thought-type.ts";
export { titleFrom } from "./title.ts";
