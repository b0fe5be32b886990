import { counted, formatCount } from "./figures.ts";
import { n } from "./svg-number.ts";

/** A request of a crowd: where it is drawn, and in which colour. */
export interface CrowdRequest {
  readonly left: number;
  readonly right: number;
  readonly hue: number;
}

/** Pixels that count together. */
const binWidth = 2;

/** How many requests were going on, from moment to moment, `height` pixels where that is the most: an area for each colour, one on the other. */
export function crowdAreas(
  requests: readonly CrowdRequest[],
  bottom: number,
  height: number,
): readonly string[] {
  const origin = requests.reduce((least, { left }) => Math.min(least, left), Infinity);
  const end = requests.reduce((most, { right }) => Math.max(most, right), -Infinity);
  if (!Number.isFinite(origin)) return [];
  const bins = Math.floor((end - origin) / binWidth) + 1;
  const hues = [...new Set(requests.map(({ hue }) => hue))].sort((one, other) => one - other);
  const counts = new Map(hues.map((hue) => [hue, new Int32Array(bins + 1)]));
  for (const { left, right, hue } of requests) {
    const own = counts.get(hue);
    const [first, last] = [left, right].map((x) => Math.floor((x - origin) / binWidth));
    if (own === undefined || first === undefined || last === undefined) continue;
    own[first] = (own[first] ?? 0) + 1;
    own[last + 1] = (own[last + 1] ?? 0) - 1;
  }
  const levels = [new Float64Array(bins)];
  for (const hue of hues) {
    const below = levels.at(-1);
    let going = 0;
    const changes = counts.get(hue);
    levels.push(
      Float64Array.from({ length: bins }, (_, bin) => {
        going += changes?.[bin] ?? 0;
        return (below?.[bin] ?? 0) + going;
      }),
    );
  }
  const most = Math.max(1, levels.at(-1)?.reduce((high, level) => Math.max(high, level)) ?? 1);
  const yOf = (level: number): number => bottom - (level / most) * height;
  return hues.map((hue, at) => {
    const [below = [], above = []] = [levels[at], levels[at + 1]];
    const there = edgeOf(above, origin, yOf);
    const back = edgeOf(below, origin, yOf).reverse();
    return `<path class="a${hue}" d="M${[...there, ...back].map(([x, y]) => `${n(x)} ${n(y)}`).join("L")}Z"/>`;
  });
}

/** The corners of a line of steps. */
function edgeOf(
  levels: ArrayLike<number>,
  origin: number,
  yOf: (level: number) => number,
): (readonly [x: number, y: number])[] {
  const corners: (readonly [number, number])[] = [];
  for (let bin = 0; bin < levels.length; bin++) {
    const [level = 0, before] = [levels[bin], levels[bin - 1]];
    if (level === before) continue;
    const x = origin + bin * binWidth;
    if (before !== undefined) corners.push([x, yOf(before)]);
    corners.push([x, yOf(level)]);
  }
  corners.push([origin + levels.length * binWidth, yOf(levels[levels.length - 1] ?? 0)]);
  return corners;
}

/** `at most 9,812 at once · 12 failed`: what a crowd's lane says below its name. */
export function crowdWords(atOnce: number, failed: number): string {
  const words = `up to ${counted(atOnce, "request")} at once`;
  return failed === 0 ? words : `${words} · ${formatCount(failed)} failed`;
}
