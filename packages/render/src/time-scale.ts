import { formatDuration } from "./figures.ts";
import type { TimeSpan } from "./step-times.ts";

/** A wait that is not drawn to scale. */
export interface Break {
  readonly x: number;
  readonly width: number;
  readonly milliseconds: number;
}

/** A mark on the time axis: milliseconds since the scale's start, as text. */
export interface Tick {
  readonly x: number;
  readonly label: string;
}

/** From time to pixels: linear while something happens, long waits shortened. */
export interface TimeScale {
  /** Pixels from the left end of the scale. */
  x(moment: number): number;
  readonly breaks: readonly Break[];
  readonly ticks: readonly Tick[];
}

interface Segment {
  readonly from: number;
  readonly until: number;
  readonly x: number;
  readonly width: number;
}

const breakWidth = 46;
const tickDistance = 84;

/**
 * Lays time out over `width` pixels. A gap in which nothing happens is drawn to scale only while it is shorter
 * than the longest step, and than ten times the median step or a quarter of the longest; else it gets a fixed
 * width and a mark. So a session over days stays readable, and what happened in one go keeps its proportions.
 */
export function timeScale(spans: readonly TimeSpan[], width: number): TimeScale {
  const busy = busyTimes(spans);
  const limit = longestGap(spans);
  const isBreak = (at: number): boolean =>
    (busy[at]?.start ?? 0) - (busy[at - 1]?.end ?? Infinity) > limit;
  const breaks = busy.filter((_, at) => isBreak(at)).length;
  const gapWidth = breaks === 0 ? 0 : Math.min(breakWidth, (width * 0.45) / breaks);
  const pieces: { from: number; until: number }[] = [];
  for (const [at, { start, end }] of busy.entries()) {
    const last = pieces.at(-1);
    if (last === undefined || isBreak(at)) pieces.push({ from: start, until: end });
    else last.until = Math.max(last.until, end);
  }
  const total = pieces.reduce((sum, piece) => sum + piece.until - piece.from, 0);
  const perMillisecond = total > 0 ? (width - breaks * gapWidth) / total : 0;
  let x = 0;
  const segments = pieces.map(({ from, until }): Segment => {
    const segment = { from, until, x, width: (until - from) * perMillisecond };
    x += segment.width + gapWidth;
    return segment;
  });
  return {
    x: (moment) => place(segments, moment),
    breaks: segments.slice(1).map((segment, at) => ({
      x: segment.x - gapWidth,
      width: gapWidth,
      milliseconds: segment.from - (segments[at]?.until ?? segment.from),
    })),
    ticks: ticksOf(segments, perMillisecond),
  };
}

/** The times at which at least one thing happens, in order, without overlap. */
function busyTimes(spans: readonly TimeSpan[]): readonly { start: number; end: number }[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of [...spans].sort((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

function longestGap(spans: readonly TimeSpan[]): number {
  const durations = spans.map(({ start, end }) => end - start).filter((duration) => duration > 0);
  durations.sort((one, other) => one - other);
  const median = durations[Math.floor(durations.length / 2)];
  const longest = durations.at(-1);
  if (median === undefined || longest === undefined) return Infinity;
  return Math.min(longest, Math.max(10 * median, longest / 4));
}

function place(segments: readonly Segment[], moment: number): number {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((segments[middle]?.from ?? Infinity) <= moment) low = middle;
    else high = middle - 1;
  }
  const segment = segments[low];
  if (segment === undefined) return 0;
  const length = segment.until - segment.from;
  const share = length > 0 ? (moment - segment.from) / length : 0;
  return segment.x + segment.width * Math.min(1, Math.max(0, share));
}

/** Round distances in time, from a millisecond to a year. */
const roundSteps: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 6, 12].map((hours) => hours * 3_600_000),
  ...[1, 2, 7, 30, 365].map((days) => days * 86_400_000),
];

/** A round moment without the figure behind the point that its distance to the next doesn't need. */
function tickLabel(milliseconds: number, distance: number): string {
  if (milliseconds === 0) return "0";
  const label = formatDuration(milliseconds);
  return distance % 1000 === 0 && milliseconds % 1000 === 0 ? label.replace(".0 s", " s") : label;
}

function ticksOf(segments: readonly Segment[], perMillisecond: number): readonly Tick[] {
  const origin = segments[0]?.from ?? 0;
  const distance = roundSteps.find((step) => step * perMillisecond >= tickDistance) ?? Infinity;
  const ticks: Tick[] = [];
  const add = (moment: number): void => {
    const x = place(segments, moment);
    const label = tickLabel(moment - origin, distance);
    const last = ticks.at(-1);
    if (last !== undefined && (x - last.x < tickDistance * 0.75 || last.label === label)) return;
    ticks.push({ x, label });
  };
  for (const { from, until } of segments) {
    add(from);
    const first = Math.ceil((from - origin) / distance);
    const count = Number.isFinite(distance)
      ? Math.floor((until - origin) / distance) - first + 1
      : 0;
    for (let at = 0; at < Math.min(count, 200); at += 1) add(origin + (first + at) * distance);
  }
  return ticks;
}
