// What a model was sent, by part
export { type CacheBreak, type CachePrefix, cachePrefixOf, previousCall } from "./cache-prefix.ts";
export { costShares } from "./cost-shares.ts";
// Back: what a step rests on
export type { Doubt } from "./doubts.ts";
// Forth: what rests on a step
export { type ImpactOfSession, impactOf } from "./impact.ts";
export { type Prompt, type PromptSegment, promptOf } from "./prompt-of.ts";
// Before and after
export { type Proof, type ProofFigure, proofOf, type RunFigures, type RunScore } from "./proof.ts";
export { type CountTokens, estimateTokens, type TokenShares, tokenShares } from "./token-shares.ts";
export { type Why, type WhyNode, whyOf } from "./why.ts";
