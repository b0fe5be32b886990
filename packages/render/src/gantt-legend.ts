import { compactionMark, compactionWords } from "./compaction-mark.ts";
import { type Arrow, arrowLooks, arrowWords } from "./gantt-arrows.ts";
import { turnMark } from "./gantt-turns.ts";
import { waitSample, waitWords } from "./svg-axis.ts";
import { n } from "./svg-number.ts";
import { emWidth, fitPixels, svgText } from "./svg-text.ts";

/** What a chart shows, as far as it has to be explained. */
export interface Shown {
  /** Whether marks tell where a user spoke. */
  readonly hasTurns: boolean;
  readonly arrows: readonly Arrow[];
  /** What each colour of bars stands for. */
  readonly colors: readonly string[];
  readonly hasFailedRequests: boolean;
  readonly hasTools: boolean;
  /** Whether lines lead from requests of an agent to its next ones. */
  readonly hasPauses: boolean;
  readonly hasFailedTools: boolean;
  readonly hasCompactions: boolean;
  readonly hasWaits: boolean;
}

const margin = 24;
const fontSize = 11;
const rowHeight = 20;
/** Between a sample's left end and its words, where a sample draws from -9 to 3. */
const sampleWidth = 28;

/** What arrows, bars and marks mean, in as many rows as it takes. */
export function legendOf(
  shown: Shown,
  top: number,
  width: number,
): { readonly lines: readonly string[]; readonly bottom: number } {
  const { hasTurns, arrows, colors, hasFailedRequests, hasTools, hasPauses } = shown;
  const { hasFailedTools, hasCompactions, hasWaits } = shown;
  const entries: (readonly [sample: string, words: string])[] = colors.map((words, hue) => [
    bar(`a${hue}`),
    fitPixels(words, 260, fontSize),
  ]);
  if (hasTurns) entries.unshift([turnMark(11, -3), "the user spoke"]);
  if (hasFailedRequests) entries.push([bar("other error"), "request failed"]);
  if (hasTools) entries.push(['<path class="tools" d="M2 -3H20"/>', "tools at work"]);
  if (hasPauses) entries.push(['<path class="life" d="M2 -3H20"/>', "between its requests"]);
  if (hasFailedTools) entries.push([cross(11, -3), "a tool failed"]);
  if (hasCompactions) entries.push([compactionMark(11, -3), compactionWords]);
  for (const look of arrowLooks) {
    const own = arrows.filter((arrow) => arrow.look === look);
    const sample = `<path class="arrow ${look}" marker-end="url(#tf-${look})" d="M0 -3H22"/>`;
    if (own.length > 0) entries.push([sample, arrowWords(look, own)]);
  }
  if (hasWaits) entries.push([waitSample, waitWords]);
  let x = margin;
  let y = top;
  const lines = entries.map(([sample, words]) => {
    const wide = sampleWidth + emWidth(words) * fontSize + 14;
    if (x > margin && x + wide > width - margin) {
      x = margin;
      y += rowHeight;
    }
    const line = `<g transform="translate(${n(x)} ${n(y)})">${sample}<text x="${sampleWidth}" y="1" class="faint">${svgText(words)}</text></g>`;
    x += wide;
    return line;
  });
  return { lines, bottom: y };
}

/** The mark of what failed, `title` in it. */
export function cross(x: number, y: number, title = ""): string {
  return `<path class="cross" d="M${n(x - 3.5)} ${n(y - 3.5)}l7 7m0-7l-7 7">${title}</path>`;
}

function bar(classes: string): string {
  return `<rect class="${classes}" x="2" y="-9" width="18" height="12" rx="3"/>`;
}
