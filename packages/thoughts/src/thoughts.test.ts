import { confidenceValue } from "@thoughtflow/schema/steps";
import { expect, it } from "vitest";
import { thoughtIdFrom } from "./thought-id.ts";
import { type NumberedThought, nextThoughtNumber, type ThoughtBranch } from "./thought-number.ts";

it("numbers branches from their origin and the main track over all", () => {
  const tracks: readonly (ThoughtBranch | undefined)[] = [
    undefined,
    undefined,
    { branchId: "a", branchFromThought: 2 },
    { branchId: "a" },
    { branchId: "b", branchFromThought: 2 },
    { branchId: "b", branchFromThought: 2 },
    undefined,
  ];
  const recorded: NumberedThought[] = [];
  for (const branch of tracks) {
    recorded.push({ ...branch, thoughtNumber: nextThoughtNumber(recorded, branch) });
  }
  expect(recorded.map((thought) => thought.thoughtNumber)).toEqual([1, 2, 3, 4, 3, 4, 5]);
});

it("does not count numbers that are none", () => {
  const odd = [Number.NaN, -1, 1.5, Infinity, 2].map((thoughtNumber) => ({ thoughtNumber }));
  expect(nextThoughtNumber([...odd, {}])).toBe(3);
});

it("gives a used id a new name", () => {
  const used = new Set(["plan", "plan~2", "thought-4"]);
  const isUsed = (id: string) => used.has(id);
  expect([
    thoughtIdFrom("fresh", 1, isUsed),
    thoughtIdFrom("plan", 2, isUsed),
    thoughtIdFrom("", 3, isUsed),
    thoughtIdFrom(undefined, 4, isUsed),
  ]).toEqual(["fresh", "plan~3", "thought-3", "thought-4~2"]);
});

it("compares confidences of both kinds", () => {
  const given = ["high", "medium", "low", 0.7, 0, 1, 1.5, -1, Number.NaN, "HIGH", "toString", null];
  expect(given.map(confidenceValue)).toEqual([
    0.9,
    0.6,
    0.3,
    0.7,
    0,
    1,
    ...Array<undefined>(6).fill(undefined),
  ]);
});
