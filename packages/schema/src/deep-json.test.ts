import fc from "fast-check";
import { expect, test } from "vitest";
import { compactChunks, compactJson, isDeeperThan } from "./deep-json.ts";

function nested(depth: number): unknown {
  let value: unknown = "core";
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { in: value };
  return value;
}

test("values of ordinary depth are written as JSON.stringify writes them", () => {
  const value = { a: [1, undefined, { b: undefined, c: () => 1 }], d: {}, e: [], "": null };
  expect(compactJson(value)).toBe(JSON.stringify(value));
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      expect(compactJson(json)).toBe(JSON.stringify(json));
    }),
  );
});

test("a value is as deep as its deepest part", () => {
  expect([isDeeperThan(3, nested(3)), isDeeperThan(2, [1, [2, [nested(0)]]])]).toEqual([
    false,
    true,
  ]);
});

test("what is long comes in pieces that are the same text together", () => {
  const value = { list: Array.from({ length: 20_000 }, (_, n) => ({ n, text: `text ${n}` })) };
  const pieces = [...compactChunks(value)];
  expect(pieces.length).toBeGreaterThan(5);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000);
  expect(pieces.join("")).toBe(JSON.stringify(value));
  expect(compactJson(value)).toBe(JSON.stringify(value));
});
