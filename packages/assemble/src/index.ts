export type { AssembleOptions } from "./assemble.ts";
export { assemble } from "./assemble.ts";
export { briefKey } from "./brief-key.ts";
export { type CallTeller, callTeller, mayTellOneCall } from "./call-teller.ts";
export { decimalSum } from "./decimal-sum.ts";
export { erasedBodies, isErasedAt } from "./erased-bodies.ts";
export { createIdTable, type IdTable } from "./id-table.ts";
export { joinedRuns } from "./joined-runs.ts";
export { type LargeText, largeTexts, mayHoldLargeTexts, withoutLargeTexts } from "./large-texts.ts";
export {
  createLongSession,
  type LongSession,
  type LongSessionOptions,
  type RunTie,
  type StretchRuns,
} from "./long-session.ts";
export { moreWords } from "./more-words.ts";
export { NotSeparableError } from "./not-separable-error.ts";
export { costOfCall } from "./recorded-cost.ts";
export { recordsFromSession } from "./records-from-session.ts";
export { revisionOfSession } from "./revision-of-session.ts";
export { type CallMoment, isSameMoment, tokensKey } from "./same-moment.ts";
export type { ScoreLine } from "./scores.ts";
export { scoresOf } from "./scores.ts";
export { digestOfSpan } from "./span-body.ts";
export { createWordRows, type WordRows } from "./word-rows.ts";
