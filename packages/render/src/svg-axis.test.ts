import { expect, test } from "vitest";
import { axisHeight, axisOf } from "./svg-axis.ts";

const place = { left: 100, right: 300, top: 50, bottom: 90 };
const wait = (x: number) => ({ x, width: 20, milliseconds: 15 * 3_600_000 });
const words = (lines: readonly string[]) =>
  lines.flatMap((line) => /<text [^>]*x="([\d.]+)"[^>]*>(.*)<\/text>/.exec(line)?.slice(1) ?? []);

test("how long a wait was stands above its strip where there is room, and in its title", () => {
  const lines = axisOf({ ticks: [], breaks: [wait(40), wait(62), wait(120)] }, place);
  expect(words(lines)).toEqual(["136.7", "15 h", "216.7", "15 h"]);
  expect(lines.join("").match(/15 h in which nothing began or ended/g)).toHaveLength(3);
});

test("of a wait right behind the first step the time may stand left of the chart, where nothing else does", () => {
  expect(words(axisOf({ ticks: [], breaks: [wait(0), wait(22)] }, place))).toEqual([
    "96.7",
    "15 h",
  ]);
});

test("no time is cut at the right edge; without waits they need no room", () => {
  const ticks = [
    { x: 0, label: "0" },
    { x: 195, label: "2 h 3 m" },
  ];
  const lines = axisOf({ ticks, breaks: [] }, place);
  expect(words(lines)).toEqual(["100", "0", "300", "2 h 3 m"]);
  expect(lines.at(-1)).toContain('class="faint before"');
  // It lies over none.
  const near = [{ x: 130, label: "2 h 1 m" }, ...ticks.slice(1)];
  const shown = axisOf({ ticks: near, breaks: [] }, place);
  expect(words(shown)).toEqual(["300", "2 h 3 m"]);
  expect(shown.join("").match(/class="tick"/g)).toHaveLength(2);
  expect(axisHeight({ breaks: [wait(0)] })).toBeGreaterThan(axisHeight({ breaks: [] }));
});
