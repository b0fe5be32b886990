import fc from "fast-check";
import { expect, test } from "vitest";
import { stableJson } from "./stable-json.ts";

test("equal values give equal text whatever the order of their keys", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const turned = Object.fromEntries(Object.entries(value).reverse());
      expect(stableJson(turned)).toBe(stableJson(value));
      expect(JSON.parse(stableJson(value))).toStrictEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("keys are sorted on all levels and members without a JSON form left out", () => {
  expect(stableJson({ b: [undefined, { d: 1, c: undefined }], a: Number.NaN, e: () => 1 })).toBe(
    '{"a":null,"b":[null,{"d":1}]}',
  );
});

test("it is the same text where a program has given all lists a toJSON", () => {
  const value = { b: [undefined, { d: 1, c: undefined }], a: "x" };
  const before = stableJson(value);
  const prototype = Array.prototype as { toJSON?: () => string };
  prototype.toJSON = () => "a list";
  const there = stableJson(value);
  delete prototype.toJSON;
  expect(there).toBe(before);
});

test("cycles, endless nesting and bigints are written instead of thrown", () => {
  const cycle: Record<string, unknown> = { n: 12n };
  cycle["self"] = [cycle];
  expect(stableJson(cycle)).toBe('{"n":12,"self":["[circular]"]}');

  let deep: unknown = 1;
  for (let index = 0; index < 100_000; index++) deep = [deep];
  expect(stableJson(deep)).toBe(`${"[".repeat(500)}"[too deep]"${"]".repeat(500)}`);
});
