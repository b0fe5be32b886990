export { assemble } from "./assemble.ts";
export type { SplitSession } from "./large-texts.ts";
export { splitLargeTexts } from "./large-texts.ts";
