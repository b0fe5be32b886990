import fc from "fast-check";
import { expect, test } from "vitest";
import { createThoughtLedger, type PlacedThought, type ThoughtPlace } from "./thought-ledger.ts";

function placeAll(places: readonly ThoughtPlace[]): PlacedThought[] {
  const ledger = createThoughtLedger();
  return places.map((place) => ledger.place(place));
}

test("branches chain, and a merge rests on the ends of all that it merges", () => {
  const placed = placeAll([
    { id: "problem" },
    { id: "constraints" },
    { id: "redis", branchId: "redis", branchFromThought: 2 },
    { id: "redis costs", branchId: "redis", branchFromThought: 2 },
    { id: "memory", branchId: "memory", branchFromThought: 2 },
    { id: "memory costs", branchId: "memory", branchFromThought: 2 },
    { id: "cluster", branchId: "cluster", branchFromThought: 4 },
    { id: "compare", mergesBranches: ["redis", "memory", "cluster"] },
  ]);
  expect(placed.map(({ id, thoughtNumber, relations }) => [id, thoughtNumber, relations])).toEqual([
    ["problem", 1, []],
    ["constraints", 2, [{ type: "follows", to: "problem" }]],
    ["redis", 3, [{ type: "branches_from", to: "constraints" }]],
    ["redis costs", 4, [{ type: "follows", to: "redis" }]],
    ["memory", 3, [{ type: "branches_from", to: "constraints" }]],
    ["memory costs", 4, [{ type: "follows", to: "memory" }]],
    ["cluster", 5, [{ type: "branches_from", to: "redis costs" }]],
    [
      "compare",
      6,
      [
        { type: "follows", to: "constraints" },
        { type: "merges", to: "redis costs" },
        { type: "merges", to: "memory costs" },
        { type: "merges", to: "cluster" },
      ],
    ],
  ]);
});

test("revisions form chains, in a branch of the branch's own thoughts first", () => {
  const placed = placeAll([
    { id: "parser" },
    { id: "tokenizer", revisesThought: 1 },
    { id: "a2", branchId: "a", branchFromThought: 1 },
    { id: "a3", branchId: "a", revisesThought: 2 },
    { id: "a4", branchId: "a", revisesThought: 1 },
    { id: "grammar", revisesThought: 2 },
  ]);
  const revised = placed.map(({ relations }) => relations.find(({ type }) => type === "revises"));
  expect(revised.map((relation) => relation?.to)).toEqual([
    undefined,
    "parser",
    undefined,
    "a2",
    "parser",
    "tokenizer",
  ]);
});

/** Thoughts as a confused model would give them: any number, any branch, anything revised or merged. */
const place: fc.Arbitrary<ThoughtPlace> = fc.record(
  {
    id: fc.constantFrom("a", "b", "c", "", "thought-2"),
    number: fc.integer({ min: 1, max: 12 }),
    branchId: fc.constantFrom("x", "y", "z"),
    branchFromThought: fc.integer({ min: 1, max: 12 }),
    revisesThought: fc.integer({ min: 1, max: 12 }),
    mergesBranches: fc.array(fc.constantFrom("x", "y", "z", "unknown"), { maxLength: 4 }),
  },
  { requiredKeys: [] },
);
const places = fc.array(place, { maxLength: 40 });

test("a tie to what is not there is kept, and told to lead nowhere", () => {
  const placed = placeAll([
    { id: "a" },
    { id: "b", revisesThought: 99 },
    { id: "c", branchId: "x", branchFromThought: 77 },
    { id: "d", mergesBranches: ["x", "y"] },
  ]);
  expect(placed.map(({ relations }) => relations)).toEqual([
    [],
    [
      { type: "follows", to: "a" },
      { type: "revises", to: "thought:99", isDangling: true },
    ],
    [{ type: "branches_from", to: "thought:77", isDangling: true }],
    [
      { type: "follows", to: "b" },
      { type: "merges", to: "c" },
      { type: "merges", to: "branch:y", isDangling: true },
    ],
  ]);
});

test("whatever is placed has an id of its own and rests on what was placed before it", () => {
  fc.assert(
    fc.property(places, (given) => {
      const known = new Set<string>();
      for (const { id, relations } of placeAll(given)) {
        expect(known.has(id)).toBe(false);
        for (const { to, isDangling = false } of relations) expect(known.has(to)).toBe(!isDangling);
        expect(relations.filter(({ type }) => type === "follows").length).toBeLessThanOrEqual(1);
        known.add(id);
      }
    }),
  );
});

test("numbers that nobody gives grow on every track, and on the main track over all", () => {
  fc.assert(
    fc.property(places, (given) => {
      const placed = placeAll(given.map(({ number: _, ...rest }) => rest));
      for (const [at, { thoughtNumber, branchId }] of placed.entries()) {
        const rivals = placed
          .slice(0, at)
          .filter((other) => branchId === undefined || other.branchId === branchId);
        const greatest = Math.max(0, ...rivals.map((other) => other.thoughtNumber));
        const origin = branchId === undefined ? 0 : (given[at]?.branchFromThought ?? 0);
        expect(thoughtNumber).toBe(Math.max(greatest, origin) + 1);
      }
    }),
  );
});

test("every track is one chain: each thought but its first follows the one before it", () => {
  fc.assert(
    fc.property(places, (given) => {
      const last = new Map<string | undefined, string>();
      for (const { id, branchId, relations } of placeAll(given)) {
        const before = relations.find(({ type }) => type === "follows")?.to;
        expect(before).toBe(last.get(branchId));
        last.set(branchId, id);
      }
    }),
  );
});
