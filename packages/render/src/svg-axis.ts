import { formatDuration } from "./figures.ts";
import { n } from "./svg-number.ts";
import { emWidth, svgText } from "./svg-text.ts";
import type { TimeScale } from "./time-scale.ts";

const fontSize = 11;
const tickRow = 32;
const waitRow = 15;
/** The mark of a wait that is narrower would touch the next one's. */
const leastZigzag = 6;

/** Room above a chart for its times, and for how long the waits were. */
export function axisHeight({ breaks }: Pick<TimeScale, "breaks">): number {
  return breaks.length === 0 ? tickRow : tickRow + waitRow;
}

/** Where a chart is, in pixels; what is above `top` is the axis' own. */
interface ChartPlace {
  readonly left: number;
  /** No label ends further right. */
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Times above a chart and lines down through it; and its long waits as strips, with how long each was. */
export function axisOf(
  { ticks, breaks }: Pick<TimeScale, "ticks" | "breaks">,
  { left, right, top, bottom }: ChartPlace,
): readonly string[] {
  const ticksAt = top - 13 - (breaks.length === 0 ? 0 : waitRow);
  let free = -Infinity;
  /** Where the labels behind a tick begin: one that had to move left takes the place of the one before. */
  const followers = ticks
    .map(({ x, label }) => Math.min(left + x, right - widthOf(label)))
    .slice(1);
  return [
    ...ticks.flatMap(({ x, label }, place) => {
      const at = left + x;
      const end = at + widthOf(label);
      const line = `<path class="tick" d="M${n(at)} ${n(top)}V${n(bottom)}"/>`;
      if (end > right)
        return [
          line,
          `<text class="faint before" x="${n(right)}" y="${n(ticksAt)}">${svgText(label)}</text>`,
        ];
      if (end > (followers[place] ?? Infinity)) return [line];
      return [line, `<text class="faint" x="${n(at)}" y="${n(ticksAt)}">${svgText(label)}</text>`];
    }),
    ...breaks.flatMap(({ x, width, milliseconds }) => {
      const middle = left + x + width / 2;
      const label = formatDuration(milliseconds);
      const start = middle - widthOf(label) / 2;
      const isFree = start >= free;
      if (isFree) free = start + widthOf(label) + 6;
      return [
        `<rect class="break" x="${n(left + x + width * 0.2)}" y="${n(top)}" width="${n(width * 0.6)}" height="${n(bottom - top)}"><title>${label} in which nothing began or ended</title></rect>`,
        ...(width < leastZigzag ? [] : [zigzag(middle, top - 9, 13)]),
        ...(isFree
          ? [`<text class="faint" x="${n(start)}" y="${n(top - 13)}">${label}</text>`]
          : []),
      ];
    }),
  ];
}

function widthOf(label: string): number {
  return emWidth(label) * fontSize;
}

/** What stands for a shortened wait in a legend, where its text begins 28 pixels further right. */
export const waitSample: string = `<rect class="break" x="4" y="-9" width="14" height="12"/>${zigzag(11, -9, 12)}`;
export const waitWords = "long wait, shortened";

/** The broken line that marks a shortened wait, `height` pixels long, around `x`. */
function zigzag(x: number, y: number, height: number): string {
  const turns = Math.max(2, Math.round(height / 6));
  const step = height / turns;
  const points = Array.from(
    { length: turns + 1 },
    (_, at) => `${n(x + (at % 2 === 0 ? -2 : 2))} ${n(y + at * step)}`,
  );
  return `<path class="zigzag" d="M${points.join("L")}"/>`;
}
