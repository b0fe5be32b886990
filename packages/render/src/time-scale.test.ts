import fc from "fast-check";
import { expect, test } from "vitest";
import { timeScale } from "./time-scale.ts";

const span = (start: number, end: number) => ({ start, end, open: false });

test("what happens in one go is drawn to scale", () => {
  const scale = timeScale([span(0, 1000), span(1200, 2000)], 1000);
  expect([0, 500, 1000, 1200, 2000].map((moment) => scale.x(moment))).toEqual([
    0, 250, 500, 600, 1000,
  ]);
  expect(scale.breaks).toEqual([]);
});

test("a wait of days takes a fixed width, and both sides keep one scale", () => {
  const day = 86_400_000;
  const scale = timeScale([span(0, 3000), span(2 * day, 2 * day + 1000)], 846);
  expect(scale.breaks).toEqual([{ x: 600, width: 46, milliseconds: 2 * day - 3000 }]);
  expect([3000, 2 * day, 2 * day + 1000].map((moment) => scale.x(moment))).toEqual([600, 646, 846]);
  expect(scale.ticks.map((tick) => tick.label)).toEqual([
    "0",
    "500 ms",
    "1.0 s",
    "1.5 s",
    "2.0 s",
    "2.5 s",
    "2 d",
    "+500 ms",
    "+1.0 s",
  ]);
});

test("after a long wait the axis goes on: since the start where that tells ticks apart, else since the wait's end", () => {
  const minutes = (count: number) => count * 60_000;
  const labels = (spans: (readonly [number, number])[]) =>
    timeScale(
      spans.map(([start, end]) => span(minutes(start), minutes(end))),
      500,
    ).ticks.map(({ label }) => label);
  expect(
    labels([
      [0, 2],
      [30, 32],
    ]),
  ).toEqual(["0", "1 m", "30 m", "31 m", "32 m"]);
  // Nothing but the days would be told of each.
  expect(
    labels([
      [0, 2],
      [5_760, 5_762],
    ]),
  ).toEqual(["0", "1 m", "4 d", "+1 m", "+2 m"]);
  // So it is where several begin at what is told alike.
  expect(
    labels([
      [0, 2],
      [5_760, 5_762],
      [5_775, 5_777],
    ]),
  ).toEqual(["0", "4 d", "+15 m", "+16 m"]);
});

test("what one step alone waited for overnight doesn't squeeze the others", () => {
  const day = 86_400_000;
  const steps = Array.from({ length: 12 }, (_, at) => span(at * 1_000, at * 1_000 + 900));
  const waiting = span(12_000, day);
  const later = steps.map(({ start, end }) => span(day + start, day + end));
  const scale = timeScale([...steps, waiting, ...later], 1046);
  expect(scale.breaks).toEqual([
    { x: expect.closeTo(502, 0), width: 46, milliseconds: day - 12_000 },
  ]);
  expect(scale.x(day)).toBeCloseTo(548, 0);
  // Two alike, and a gap among the rest: each is one.
  const next = later.map(({ start, end }) => span(start + 2 * day, end + 2 * day));
  const twice = [...steps, waiting, ...later, span(day + 12_000, 2 * day), ...next];
  expect(timeScale(twice, 1046).breaks.map(({ milliseconds }) => milliseconds)).toEqual([
    day - 12_000,
    day - 12_000,
    day,
  ]);
});

test("what waited for hours, again and again, doesn't squeeze the hours of work", () => {
  const hour = 3_600_000;
  const work = (from: number) =>
    Array.from({ length: 100 }, (_, at) => span(from + at * 60_000, from + at * 60_000 + 50_000));
  // A tool was asked for in the evening, and allowed in the morning.
  const nights = [2 * hour, 20 * hour, 45 * hour];
  const waits = [16, 23, 9].map((hours, at) => {
    const start = nights[at] ?? 0;
    return span(start, start + hours * hour);
  });
  const days = [0, ...waits.map(({ end }) => end)].flatMap(work);
  expect(timeScale([...days, ...waits], 1000).breaks).toHaveLength(3);
  // Of what took most of its time at work each tool is drawn as long as it was.
  const long = [...work(0), span(1.6 * hour, 3 * hour), ...work(3 * hour)];
  expect(timeScale(long, 1000).breaks).toEqual([]);
});

test("a wait that a mark would hardly shorten, or make longer, is drawn to scale", () => {
  // A tool of 15 s between requests of 10 s, of which nobody says when it was at work.
  const few = Array.from({ length: 9 }, (_, at) => span(at * 25_000, at * 25_000 + 10_000));
  expect(timeScale(few, 760).breaks).toEqual([]);
  const stretches = Array.from({ length: 50 }, (_, at) => span(at * 240_000, at * 240_000 + 9_000));
  const busy = stretches.flatMap(({ start }) =>
    Array.from({ length: 23 }, (_, at) => span(start + at * 9_000, start + (at + 1) * 9_000)),
  );
  const scale = timeScale(busy, 2_600);
  expect(scale.breaks).toEqual([]);
  expect(scale.x(240_000) / scale.x(120_000)).toBeCloseTo(2, 5);
  // Beside it one of hours is none of these.
  const later = span(9 * 3_600_000, 9 * 3_600_000 + 10_000);
  expect(timeScale([...few, later], 760).breaks).toHaveLength(1);
});

test("waits of which each is worth a mark only until the one before is drawn to scale end as fast as others", () => {
  const second = 1_000;
  const spans = [span(0, second)];
  let total = 16_000 * second;
  for (let waits = 15_999; waits > 0; waits--) {
    // Marks take 45 % of the width: so long a wait takes little less than two of them.
    const wait = ((2 * 0.45) / 0.55) * (total / waits) * 0.9999;
    const start = (spans.at(-1)?.end ?? 0) + wait;
    spans.push(span(start, start + second));
    total += wait;
  }
  expect(timeScale(spans, 800).breaks.length).toBeLessThan(20);
});

test("many waits never take more than half of the width", () => {
  const spans = Array.from({ length: 300 }, (_, at) => span(at * 1e6, at * 1e6 + 10));
  const scale = timeScale(spans, 1000);
  expect(scale.breaks).toHaveLength(299);
  expect(scale.breaks.reduce((sum, { width }) => sum + width, 0)).toBeLessThan(500);
});

test("later is never left of earlier, and all lies on the scale", () => {
  const spans = fc.array(
    fc
      .tuple(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 0, max: 1e6 }))
      .map(([start, length]) => span(start, start + length)),
    { minLength: 1, maxLength: 30 },
  );
  fc.assert(
    fc.property(spans, (given) => {
      const scale = timeScale(given, 900);
      const moments = given
        .flatMap(({ start, end }) => [start, end])
        .sort((one, other) => one - other);
      const places = moments.map((moment) => scale.x(moment));
      expect(places).toEqual([...places].sort((one, other) => one - other));
      expect(places.every((x) => x >= 0 && x <= 900.001)).toBe(true);
    }),
  );
});

test("round moments are written without a figure that the distance between them doesn't need", () => {
  const labels = timeScale([span(0, 120_000)], 400).ticks.map(({ label }) => label);
  expect(labels).toEqual(["0", "30 s", "1 m", "1 m 30 s", "2 m"]);
});
