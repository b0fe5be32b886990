export type { AssembleOptions } from "./assemble.ts";
export { assemble } from "./assemble.ts";
export type { SplitSession } from "./large-texts.ts";
export { splitLargeTexts } from "./large-texts.ts";
export type { ScoreLine } from "./scores.ts";
export { scoresOf } from "./scores.ts";
