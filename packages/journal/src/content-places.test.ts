import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { createContentPlaces, nodeName } from "./content-places.ts";

const sha256Of = (number: number): string => hash("sha256", String(number), "hex");

test("texts and lists are found by their names, as many as there are, and the newest of a name", () => {
  const places = createContentPlaces("a.tfj");
  for (let number = 1; number <= 5_000; number++) {
    places.addPiece(sha256Of(number), number * 100, number * 100 + 50);
    places.addNode([number * 3, (number - 1) * 3, sha256Of(number)], number * 100 + 60);
  }
  places.addPiece(sha256Of(7), 900_000, 900_001);
  places.addNode([9, 6, sha256Of(8)], 900_002);

  expect(places.piece(sha256Of(5_000))).toEqual({ path: "a.tfj", start: 500_000, end: 500_050 });
  expect(places.piece(sha256Of(7))).toEqual({ path: "a.tfj", start: 900_000, end: 900_001 });
  expect(places.piece(sha256Of(0))).toBeUndefined();
  expect(places.node(15_000)).toEqual([15_000, 14_997, sha256Of(5_000)]);
  expect(places.node(9)).toEqual([9, 6, sha256Of(8)]);
  expect(places.node(10)).toBeUndefined();

  const told = new Map<string, number>();
  places.visit((name, start) => told.set(name, start));
  expect(told.size).toBe(10_000);
  expect(told.get(sha256Of(7))).toBe(900_000);
  expect(told.get(sha256Of(4_999))).toBe(499_900);
  expect(told.get(nodeName(9))).toBe(900_002);
});

test("a text that a list names is not there before it stands in the file", () => {
  const places = createContentPlaces("a.tfj");
  places.addNode([2 ** 32 - 1, 0, sha256Of(1)], 10);
  const names: string[] = [];
  places.visit((name) => names.push(name));

  expect(places.piece(sha256Of(1))).toBeUndefined();
  expect(places.node(2 ** 32 - 1)).toEqual([2 ** 32 - 1, 0, sha256Of(1)]);
  expect(names).toEqual(["#4294967295"]);
});

test.each(["", "constructor", sha256Of(1).toUpperCase(), `${sha256Of(1)}0`])(
  "what is no hash names nothing: %j",
  (name) => {
    const places = createContentPlaces("a.tfj");
    places.addPiece(name, 1, 2);
    places.addNode([1, 0, name], 3);
    expect([places.count, places.piece(name), places.node(1)]).toEqual([0, undefined, undefined]);
  },
);

test("hashes that somebody made up to begin alike are found as fast as all others", () => {
  const places = createContentPlaces("a.tfj");
  const count = 50_000;
  const hashOf = (number: number): string => `0badcafe${sha256Of(number).slice(8)}`;
  for (let number = 1; number <= count; number++) places.addPiece(hashOf(number), number, count);
  expect(places.count).toBe(count);
  expect(places.piece(hashOf(count))).toEqual({ path: "a.tfj", start: count, end: count });
});
