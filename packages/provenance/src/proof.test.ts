import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { step } from "../testing/session-of.ts";
import { proofOf } from "./proof.ts";

/** A session of one run whose prompt has these adaptations, by version, and that cost so many tokens. */
function session(
  day: number,
  versions: Readonly<Record<string, string>>,
  tokens: number,
  policy = "kind",
): Session {
  const parts = [
    { type: "personality", value: policy },
    { type: "user_instruction", value: `question ${day}` },
    ...Object.entries(versions).map(([id, version]) => ({
      type: "prompt_adaptations",
      value: version,
      id,
      version,
    })),
  ];
  return {
    session_id: `s${day}`,
    conversations: [
      {
        conversation_id: "r",
        started_at: `2026-01-0${day}T00:00:00.000Z`,
        totals: { steps: 1, model_calls: 1, tool_calls: 0, errors: 0, input_tokens: tokens },
        steps: [
          step("m", "assistant_call", [], { payload_started: { prompt_provenance: { parts } } }),
        ],
      },
    ],
  };
}

test("runs before and after a change are compared, and only those that differ in nothing else", () => {
  const proof = proofOf(
    [
      session(1, { a: "1", b: "1" }, 100),
      session(2, { a: "1", b: "1" }, 200),
      session(3, { a: "1", b: "2" }, 9_000),
      session(4, { a: "2", b: "1" }, 90),
    ],
    "a",
    [{ session: "s4", run: "r", name: "helpful", value: 0.9 }],
  );
  expect(proof).toMatchObject({
    versions: { before: "1", after: "2" },
    runs: { before: 2, after: 1 },
  });
  expect(proof?.figures).toContainEqual({ name: "input tokens", before: 150, after: 90 });
  expect(proof?.figures).toContainEqual({ name: "score helpful", before: undefined, after: 0.9 });
});

test("an adaptation that was switched on is compared with runs without it; without two groups there is no proof", () => {
  expect(proofOf([session(1, {}, 100), session(2, { a: "1" }, 50)], "a")).toMatchObject({
    versions: { before: undefined, after: "1" },
    runs: { before: 1, after: 1 },
  });
  expect(proofOf([session(1, { a: "1" }, 100)], "a")).toBeUndefined();
  expect(
    proofOf([session(1, { a: "1" }, 1), session(2, { a: "2" }, 1, "strict")], "a"),
  ).toBeUndefined();
  expect(proofOf([], "a")).toBeUndefined();
});
