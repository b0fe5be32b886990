import { formatDuration } from "./figures.ts";
import type { TimeSpan } from "./step-times.ts";

/** A wait that is not drawn to scale: nothing begins or ends in it. */
export interface Break {
  readonly x: number;
  readonly width: number;
  readonly milliseconds: number;
}

/** A mark on the time axis: the time since the scale's start, or `+30 s` since the mark before it that has no plus. */
export interface Tick {
  readonly x: number;
  readonly label: string;
}

/** From time to pixels: linear while something happens, long waits shortened. */
export interface TimeScale {
  /** The first moment; absent where there is none. */
  readonly start: number | undefined;
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
 * than the longest step, and than ten times the median step or a quarter of the longest, or takes less than twice the
 * width of a mark; else it gets that width and a mark. So does what one step alone waited for where all the rest would be slivers beside it. So a session
 * over days stays readable, and what happened in one go keeps its proportions.
 *
 * @param areBusy Each span holds many steps: none of them waited all the time.
 */
export function timeScale(spans: readonly TimeSpan[], width: number, areBusy = false): TimeScale {
  const standstills = areBusy ? [] : standstillsOf(spans);
  const limit = longestGap(spans, standstills);
  const found: Stretch[] = [];
  for (const { start, end } of busyTimes(spans, standstills)) {
    const last = found.at(-1);
    const isBreak = last === undefined || start - last.end > limit;
    if (isBreak || standstills.some((one) => one.end === start)) found.push({ start, end });
    else found[found.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  }
  const { pieces, gapWidth, perMillisecond } = shared(found, width);
  let x = 0;
  const segments = pieces.map(({ start: from, end: until }): Segment => {
    const segment = { from, until, x, width: (until - from) * perMillisecond };
    x += segment.width + gapWidth;
    return segment;
  });
  return {
    start: segments[0]?.from,
    x: (moment) => place(segments, moment),
    breaks: segments.slice(1).map((segment, at) => ({
      x: segment.x - gapWidth,
      width: gapWidth,
      milliseconds: segment.from - (segments[at]?.until ?? segment.from),
    })),
    ticks: ticksOf(segments, perMillisecond),
  };
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** To scale a wait is at least so many times as wide as its mark. */
const LEAST_SAVED = 2;

/** How pieces of time and the marks of the waits between them share a width; pieces between which a mark saves too little are one. */
function shared(
  found: readonly Stretch[],
  width: number,
): Proportions & { readonly pieces: readonly Stretch[] } {
  const waits = found.slice(1).map(({ start }, at) => start - (found[at]?.end ?? start));
  const shortest = waits.toSorted((one, other) => one - other);
  let total = sumOf(found);
  let drawn = 0;
  // Drawn to scale, a wait makes room of its mark, and so others worth less, or more.
  for (let before = -1; before < drawn && total > 0; ) {
    before = drawn;
    const { gapWidth, perMillisecond } = proportionsOf(total, shortest.length - drawn, width);
    for (
      let wait = shortest[drawn];
      wait !== undefined && wait * perMillisecond < LEAST_SAVED * gapWidth;
      wait = shortest[drawn]
    ) {
      total += wait;
      drawn += 1;
    }
  }
  const longest = shortest[drawn - 1] ?? -Infinity;
  const pieces: Stretch[] = [];
  for (const [at, piece] of found.entries()) {
    const last = pieces.at(-1);
    if (last === undefined || (waits[at - 1] ?? 0) > longest) pieces.push(piece);
    else pieces[pieces.length - 1] = { start: last.start, end: piece.end };
  }
  return { pieces, ...proportionsOf(sumOf(pieces), pieces.length - 1, width) };
}

/** How wide marks and time are. */
interface Proportions {
  readonly gapWidth: number;
  readonly perMillisecond: number;
}

function proportionsOf(total: number, waits: number, width: number): Proportions {
  const gapWidth = waits <= 0 ? 0 : Math.min(breakWidth, (width * 0.45) / waits);
  return {
    gapWidth,
    perMillisecond: total > 0 ? (width - Math.max(0, waits) * gapWidth) / total : 0,
  };
}

/** A step that waits overnight for somebody's word takes more than this many times all the rest. */
const STANDSTILL_SHARE = 20;
const LEAST_STANDSTILL = 600_000;
/** No work is so long without anything that begins or ends; several of them may be most of the time together. */
const SURE_STANDSTILL = 3_600_000;
/** Of fewer stretches none hides the others. */
const LEAST_STRETCHES = 10;

/** Stretches in which nothing begins or ends, though something goes on, that would leave no room for all the others. */
function standstillsOf(spans: readonly TimeSpan[]): readonly Stretch[] {
  const moments = Float64Array.from(spans.flatMap(({ start, end }) => [start, end])).sort();
  const stretches: Stretch[] = [];
  let at = 0;
  for (const busy of busyTimes(spans)) {
    let { start } = busy;
    for (; at < moments.length && (moments[at] ?? 0) <= busy.end; at++) {
      const end = moments[at] ?? start;
      if (end > start) stretches.push({ start, end });
      start = Math.max(start, end);
    }
  }
  if (stretches.length < LEAST_STRETCHES) return [];
  const byLength = stretches.sort((one, other) => lengthOf(one) - lengthOf(other));
  const total = sumOf(byLength);
  let rest = 0;
  const first = byLength.findIndex((stretch) => {
    const length = lengthOf(stretch);
    if (length >= LEAST_STANDSTILL && length > STANDSTILL_SHARE * rest) return true;
    if (length >= SURE_STANDSTILL && total - rest > rest) return true;
    rest += length;
    return false;
  });
  return first < 0 ? [] : byLength.slice(first).sort((one, other) => one.start - other.start);
}

function sumOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, stretch) => sum + lengthOf(stretch), 0);
}

function lengthOf({ start, end }: Stretch): number {
  return end - start;
}

/** The times at which at least one thing happens, in order, without overlap; `without` these stretches of them. */
function busyTimes(
  spans: readonly TimeSpan[],
  without: readonly Stretch[] = [],
): readonly Stretch[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of [...spans].sort((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  if (without.length === 0) return merged;
  return merged.flatMap(({ start, end }) => {
    const cuts = without.filter((one) => start <= one.start && one.end <= end);
    const starts = [start, ...cuts.map((cut) => cut.end)];
    const ends = [...cuts.map((cut) => cut.start), end];
    return starts.map((from, at) => ({ start: from, end: ends[at] ?? end }));
  });
}

function longestGap(spans: readonly TimeSpan[], standstills: readonly Stretch[]): number {
  const durations = spans
    .map(({ start, end }) =>
      standstills.reduce(
        (left, one) => (start <= one.start && one.end <= end ? left - lengthOf(one) : left),
        end - start,
      ),
    )
    .filter((duration) => duration > 0);
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

/** What a time so long is told to, in milliseconds: see `formatDuration`. */
function grainOf(milliseconds: number): number {
  if (milliseconds < 60_000) return 100;
  if (milliseconds < 3_600_000) return 1000;
  return milliseconds < 86_400_000 ? 60_000 : 3_600_000;
}

/** The beginning of each stretch, then round times; where the time since the start is told too coarsely, that since the last one told so. */
function ticksOf(segments: readonly Segment[], perMillisecond: number): readonly Tick[] {
  const origin = segments[0]?.from ?? 0;
  const distance = roundSteps.find((step) => step * perMillisecond >= tickDistance) ?? Infinity;
  const ticks: (Tick & { readonly isBeginning: boolean })[] = [];
  const isNear = (x: number): boolean => x - (ticks.at(-1)?.x ?? -Infinity) < tickDistance * 0.75;
  /** What times with a plus are counted from. */
  let told = { moment: origin, label: "" };
  for (const [place, { from, until, x, width }] of segments.entries()) {
    if (isNear(x) && ticks.at(-1)?.isBeginning === false) ticks.pop();
    if (!isNear(x)) {
      const label = tickLabel(from - origin, distance);
      const isNew = label !== told.label;
      if (isNew) told = { moment: from, label };
      const shown = isNew ? label : `+${tickLabel(from - told.moment, distance)}`;
      ticks.push({ x, label: shown, isBeginning: true });
    }
    if (!Number.isFinite(distance)) continue;
    const isCoarse = place > 0 && distance % grainOf(until - origin) > 0;
    const zero = isCoarse ? told.moment : origin;
    const first = Math.floor((from - zero) / distance) + 1;
    const count = Math.min(200, Math.floor((until - zero) / distance) - first + 1);
    for (let at = first; at < first + count; at += 1) {
      const moment = at * distance;
      const label = `${isCoarse ? "+" : ""}${tickLabel(moment, distance)}`;
      const right = x + ((zero + moment - from) / (until - from)) * width;
      if (isNear(right) || ticks.at(-1)?.label === label) continue;
      ticks.push({ x: right, label, isBeginning: false });
    }
  }
  return ticks.map(({ x, label }) => ({ x, label }));
}
