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
    "3.0 s",
    "2 d",
  ]);
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
