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
