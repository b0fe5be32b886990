import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalChunks, canonicalJson } from "./canonical.ts";
import { type Level, SESSION_LEVEL } from "./canonical-order.ts";
import {
  Completeness,
  Conflict,
  Edge,
  FlowError,
  Run,
  Session,
  Step,
  Totals,
  Usage,
  Warning,
} from "./document.ts";

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

test("known keys come first and unknown keys sorted, while payloads keep their order", () => {
  const text = canonicalJson({
    zeta: 1,
    conversations: [
      {
        steps: [
          {
            label: "node",
            step_id: "a",
            payload_started: { z: undefined, y: [], x: { b: 1, a: "\n" } },
          },
        ],
        conversation_id: "r",
        alpha: undefined,
      },
    ],
    tenth: true,
    session_id: "s",
  } as unknown as Session);
  expect(text).toBe(`{
  "session_id": "s",
  "conversations": [
    {
      "conversation_id": "r",
      "steps": [
        {
          "step_id": "a",
          "label": "node",
          "payload_started": {
            "y": [],
            "x": {
              "b": 1,
              "a": "\\n"
            }
          }
        }
      ]
    }
  ],
  "tenth": true,
  "zeta": 1
}
`);
});

test("an own key named __proto__ survives on every level", () => {
  const text = `{"session_id":"s","conversations":[{"conversation_id":"r","steps":[
    {"step_id":"a","label":"node","payload_started":{"__proto__":{"x":1}},"__proto__":2}],"__proto__":3}],"__proto__":4}`;
  const value = JSON.parse(text) as Session;
  expect(JSON.stringify(JSON.parse(canonicalJson(value)))).toBe(JSON.stringify(value));
});

test("a long session comes in pieces of bounded length", () => {
  const steps = Array.from({ length: 2000 }, (_, index) => ({
    step_id: `step-${index}`,
    label: "node",
    payload_started: { text: "x".repeat(1000) },
  }));
  const value: Session = { session_id: "s", conversations: [{ conversation_id: "r", steps }] };
  const pieces = [...canonicalChunks(value)];
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(68_000);
  expect(JSON.parse(pieces.join(""))).toEqual(value);
});

test("each key of the schema has its place in the written order", () => {
  const run = SESSION_LEVEL.below.get("conversations");
  const step = run?.below.get("steps");
  const keys = (schema: { shape: object }) => Object.keys(schema.shape).sort();
  const order = (level: Level | undefined) => [...(level?.ranks.keys() ?? [])].sort();
  expect({
    session: order(SESSION_LEVEL),
    totals: order(SESSION_LEVEL.below.get("totals")),
    completeness: order(SESSION_LEVEL.below.get("completeness")),
    warning: order(SESSION_LEVEL.below.get("warnings")),
    conflict: order(SESSION_LEVEL.below.get("conflicts")),
    run: order(run),
    step: order(step),
    edge: order(step?.below.get("edges")),
    usage: order(step?.below.get("usage")),
    error: order(step?.below.get("error")),
  }).toEqual({
    session: keys(Session),
    totals: keys(Totals),
    completeness: keys(Completeness),
    warning: keys(Warning),
    conflict: keys(Conflict),
    run: keys(Run),
    step: keys(Step),
    edge: keys(Edge),
    usage: keys(Usage),
    error: keys(FlowError),
  });
});
