import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./canonical.ts";
import { type Level, SESSION_LEVEL } from "./canonical-order.ts";
import type { Session } from "./document.ts";

const key = fc.string().map(withoutBackslashes);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(
      fc.string(),
      fc.double({ noDefaultInfinity: true, noNaN: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie("value")),
    fc.dictionary(key, tie("value")),
  ),
})).value;

/** An object with some of the level's known keys and some others, down to the lowest level. */
function levelValue(level: Level): fc.Arbitrary<Record<string, unknown>> {
  const known = Object.fromEntries(
    [...level.ranks.keys()].map((key) => {
      const below = level.below.get(key);
      if (below === undefined) return [key, json];
      const value = levelValue(below);
      return [key, fc.oneof(value, fc.array(value, { maxLength: 2 }))];
    }),
  );
  return fc
    .tuple(fc.record(known, { requiredKeys: [] }), fc.dictionary(key, json, { maxKeys: 3 }))
    .map(([object, others]) => ({ ...others, ...object }));
}

/** V8's `JSON.parse` may take a key with an escape for one with a backslash in its place that it read before (13.6: `"` for `\\`). */
function withoutBackslashes(key: string): string {
  return key.replaceAll("\\", "/");
}

const session = levelValue(SESSION_LEVEL) as fc.Arbitrary<unknown> as fc.Arbitrary<Session>;

/** The same value, its levels' keys the other way round. */
function reversed(value: unknown, level: Level | undefined): unknown {
  if (level === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => reversed(item, level));
  const turned = Object.create(null) as Record<string, unknown>;
  for (const [key, item] of Object.entries(value).reverse()) {
    turned[key] = reversed(item, level.below.get(key));
  }
  return turned;
}

test("what is written reads back equal, and writes the same bytes again", () => {
  fc.assert(
    fc.property(session, (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toStrictEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});

test("the order of keys on the way in makes no difference", () => {
  fc.assert(
    fc.property(session, (value) => {
      expect(canonicalJson(reversed(value, SESSION_LEVEL) as Session)).toBe(canonicalJson(value));
    }),
  );
});
