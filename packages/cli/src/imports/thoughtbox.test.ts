import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { assemble } from "@thoughtflow/assemble";
import { defaultRedactor } from "@thoughtflow/redaction";
import { checkSession, readSession, type Session } from "@thoughtflow/schema";
import { thoughtboxFromSession } from "@thoughtflow/thoughts/thoughtbox";
import fc from "fast-check";
import { expect, test } from "vitest";
import { recordsOfText } from "../../testing/imported-records.ts";
import { ImportProblem } from "./import-format.ts";
import { thoughtbox } from "./thoughtbox.ts";

const realText = readFileSync(
  new URL("../../../thoughts/fixtures/thoughtbox-session.json", import.meta.url),
  "utf8",
);

async function imported(
  value: unknown,
): Promise<{ session: Session; warnings: readonly string[] }> {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const { records, warnings } = await recordsOfText(thoughtbox, text);
  const [session, ...others] = assemble(records);
  if (session === undefined || others.length > 0) throw new Error("not one session");
  return { session, warnings };
}

const edgesOf = ({ conversations }: Session) =>
  conversations
    .flatMap(({ steps }) => steps)
    .flatMap(({ step_id, edges = [] }) => edges.map(({ to, type }) => [step_id, type, to]));

test("the real session of 70 thoughts becomes a sound document and comes back as it was", async () => {
  const { session, warnings } = await imported(realText);
  expect(warnings).toEqual([]);
  const read = readSession(JSON.stringify(session));
  expect(read.ok && checkSession(read.session)).toEqual([]);
  expect(session).toMatchObject({
    session_id: "880b76fa-9c1e-4f2a-bdf8-18b5fc532a53",
    title: "Agentic Reasoning Research for Thoughtbox",
    tags: ["research", "agentic-reasoning", "thoughtbox", "meta-cognition"],
    status: "active",
  });
  expect(session.conversations[0]?.steps.length).toBe(70);
  expect(thoughtboxFromSession(session)).toEqual(JSON.parse(realText));
});

test("halves of characters and deep values come back, and what looks like a key is masked in them, too", async () => {
  let deep: unknown = { apiKey: "hunter2", note: "b\udc00" };
  for (let level = 0; level < 300; level++) deep = level % 2 === 0 ? [deep, level] : { deep };
  const file = {
    session: { id: "odd", title: "T \ud800", "\udfff": { deep } },
    thoughts: [
      { thoughtNumber: 1, thought: "half a \ud83d pair", contextData: { deep } },
      { thoughtNumber: 2, thought: "keys", "k\ud800": "v\ud801", "k\udbff": [1, { "\udc00": 2 }] },
      { thoughtNumber: 3, thought: "own names", thoughtbox: "\ud800", thought_id: { "\ud800": 1 } },
    ],
  };
  const masked = JSON.parse(JSON.stringify(file).replaceAll("hunter2", "[redacted: apikey]"));
  const { session } = await imported(file);
  const text = JSON.stringify(session);
  expect(text).not.toContain("hunter2");
  expect(text.isWellFormed()).toBe(true);
  expect(thoughtboxFromSession(JSON.parse(text))).toEqual(masked);

  const nodes = file.thoughts.map((data) => ({ id: "n\ud800", data, next: [{ deep }] }));
  const archive = { session: file.session, nodes };
  const again = thoughtboxFromSession((await imported(archive)).session);
  expect(again).toEqual(
    JSON.parse(JSON.stringify(archive).replaceAll("hunter2", "[redacted: apikey]")),
  );
});

test("a refuted assumption leads to the thoughts that rested on it", async () => {
  const { session } = await imported(realText);
  const step = session.conversations[0]?.steps[53];
  expect(step?.edges?.map(({ to, type }) => [to, type])).toEqual([
    ["thought-53", "follows"],
    ["thought-23", "related_to"],
    ["thought-37", "related_to"],
  ]);
});

const branched = {
  version: "1.0",
  session: { id: "caching", title: "Evaluate caching", status: "completed", branchCount: 2 },
  branches: [
    { branch_id: "redis", status: "merged", merge_thought_number: 5 },
    { branch_id: "memory", status: "rejected", merge_thought_number: 5 },
  ],
  nodes: [
    ["caching:1", { thoughtNumber: 1, thought: "The problem." }],
    ["caching:2", { thoughtNumber: "2", thought: "The constraints.", thoughtType: "question" }],
    [
      "caching:redis:3",
      { thoughtNumber: 3, thought: "Redis?", branchId: "redis", branchFromThought: 2 },
    ],
    [
      "caching:redis:4",
      { thoughtNumber: 4, thought: "It costs.", branchId: "redis", branchFromThought: 2 },
    ],
    [
      "caching:memory:3",
      { thoughtNumber: 3, thought: "Memory?", branchId: "memory", branchFromThought: 2 },
    ],
    [
      "caching:5",
      { thoughtNumber: 5, thought: "Redis it is.", isRevision: true, revisesThought: 1 },
    ],
  ].map(([id, data]) => ({ id, prev: null, next: [], data })),
  exportedAt: "2026-01-01T00:00:00Z",
};

test("an archive with branches, a merge and a revision keeps all of it", async () => {
  const { session } = await imported(branched);
  expect(edgesOf(session)).toEqual([
    ["thought-2", "follows", "thought-1"],
    ["thought-3", "branches_from", "thought-2"],
    ["thought-4", "follows", "thought-3"],
    ["thought-3~2", "branches_from", "thought-2"],
    ["thought-5", "follows", "thought-2"],
    ["thought-5", "revises", "thought-1"],
    ["thought-5", "merges", "thought-4"],
    ["thought-5", "merges", "thought-3~2"],
  ]);
  expect(thoughtboxFromSession(session)).toEqual(branched);
});

test("files may list thoughts in any order: their times tell the right one, and they come back as they were", async () => {
  const backwards = {
    session: { id: "caching" },
    thoughts: branched.nodes
      .map(({ data }, at) => ({ ...(data as object), timestamp: `2026-01-01T00:00:0${at}Z` }))
      .toReversed(),
  };
  const forwards = { ...backwards, thoughts: backwards.thoughts.toReversed() };
  expect(edgesOf((await imported(backwards)).session)).toEqual(
    edgesOf((await imported(forwards)).session),
  );
  expect(thoughtboxFromSession((await imported(backwards)).session)).toEqual(backwards);
});

test("without times the numbers of a track tell the order, where the file contradicts them", async () => {
  const numbered = async (...numbers: readonly number[]) => {
    const thoughts = numbers.map((thoughtNumber) => ({ thoughtNumber, thought: "…" }));
    return edgesOf((await imported({ session: { id: "s" }, thoughts })).session);
  };
  expect(await numbered(3, 1, 2)).toEqual(await numbered(1, 2, 3));
  expect((await numbered(1, 2, 2)).length).toBe(2);
});

test("what refers to a thought that is not there is told, and kept", async () => {
  const dangling = {
    session: { id: "dangling" },
    thoughts: [
      { thoughtNumber: 1, thought: "a", revisesThought: 7 },
      { thoughtNumber: 2, thought: "b", branchId: "x", branchFromThought: 9 },
      { thoughtNumber: 3, thought: "c", branchId: "x", branchFromThought: 9 },
      { thoughtNumber: 2, thought: "d", mergesBranches: ["x", "nowhere"] },
    ],
  };
  const { session, warnings } = await imported(dangling);
  expect(warnings).toEqual([
    "file: thoughts[0].revisesThought 7: no thought before it has that; kept, with a tie to nothing",
    "file: thoughts[1].branchFromThought 9: no thought before it has that; kept, with a tie to nothing",
    'file: thoughts[3].mergesBranches ["x","nowhere"]: no thought before it has that; kept, with a tie to nothing',
  ]);
  expect(thoughtboxFromSession(session)).toEqual(dangling);
});

test("thousands of thoughts may stand in another order than they were thought in", async () => {
  const thoughts = Array.from({ length: 3_000 }, (_, at) => ({
    thoughtNumber: at + 1,
    thought: `${at}`,
    timestamp: new Date(Date.UTC(2026, 0, 1) + (at % 7) * 1_000).toISOString(),
  }));
  const file = { session: { id: "s" }, thoughts };
  expect(thoughtboxFromSession((await imported(file)).session)).toEqual(file);
});

test("null says nothing: no program that writes it is told that it is wrong", async () => {
  const nothing = { confidence: null, branchId: null, branchFromThought: null, options: null };
  const file = {
    session: { id: "nulls", title: null, tags: null, completedAt: null },
    thoughts: [{ ...nothing, thoughtNumber: 1, thought: "a", thoughtType: "reasoning" }],
  };
  const { session, warnings } = await imported(file);
  expect(warnings).toEqual([]);
  expect(thoughtboxFromSession(session)).toEqual(file);
});

test("what stands in the file may be called as anything", async () => {
  const ours = { thought_id: "x", thought_type: 7, thoughtbox: { position: 3 }, node: null };
  const file = {
    session: { id: "s" },
    thoughts: [
      { ...ours, thought: "a" },
      { ...ours, thought: "b", thoughtNumber: 1, thoughtType: "progress" },
    ],
    form: "list",
    envelope: [4],
  };
  expect(thoughtboxFromSession((await imported(file)).session)).toEqual(file);
});

test("a session counts its thoughts and branches", async () => {
  expect((await imported(branched)).session.totals).toMatchObject({
    steps: 6,
    thoughts: 6,
    branches: 2,
  });
});

test("fields that a type wants otherwise are told and kept", async () => {
  const odd = {
    session: { id: "odd" },
    thoughts: [
      { thought: "Choose.", thoughtType: "decision_frame", options: [{ label: "a" }] },
      "no thought",
      { thought: 7, thoughtType: "hunch", anything: { nested: [true] } },
    ],
  };
  const { session, warnings } = await imported(odd);
  expect(warnings).toEqual([
    "file: thoughts[1] is no thought: left out",
    expect.stringMatching(/^file: thoughts\[0\]\.confidence: .*; kept as it is$/),
    "file: thoughts[0].options: exactly one option must be selected; kept as it is",
    expect.stringMatching(/^file: thoughts\[1\]\.thought: .*; kept as it is$/),
  ]);
  expect(thoughtboxFromSession(session)).toEqual({
    session: { id: "odd" },
    thoughts: [odd.thoughts[0], odd.thoughts[2]],
  });
});

test.each([
  ["{", "it is no JSON"],
  ["7", "it is no object and no list"],
  ['{"a":1}', "it has neither thoughts nor nodes; it holds a"],
])("%s is told to be no session", async (text, problem) => {
  const reading = recordsOfText(thoughtbox, text);
  await expect(reading).rejects.toThrow(ImportProblem);
  await expect(reading).rejects.toThrow(problem);
});

const anyText = fc.string({ unit: "binary", maxLength: 12 });
const thought = fc.record(
  {
    id: fc.oneof(fc.constantFrom("thought-1", "", "a/b"), anyText),
    thoughtNumber: fc.oneof(fc.integer({ min: -1, max: 9 }), fc.constantFrom("3", "x")),
    thought: fc.oneof(anyText, fc.jsonValue()),
    thoughtType: fc.oneof(fc.constantFrom("reasoning", "progress", "hunch"), anyText),
    timestamp: fc.oneof(
      fc.constantFrom("2026-04-09T09:04:02.792758+00:00", "soon"),
      fc.jsonValue(),
    ),
    branchId: fc.constantFrom("x", "y", ""),
    branchFromThought: fc.integer({ min: 0, max: 9 }),
    revisesThought: fc.integer({ min: 0, max: 9 }),
    confidence: fc.oneof(fc.constantFrom("high", 0.5), fc.jsonValue()),
    assumptionChange: fc.oneof(fc.jsonValue(), fc.constant({ downstream: [1, 2, "3", null] })),
    metadata: fc.jsonValue(),
    thoughtbox: fc.jsonValue(),
    thought_type: fc.jsonValue(),
    node: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

/** What a program that thinks could do next: go on, branch off, revise, merge. */
const move = fc.record({
  track: fc.constantFrom(undefined, "a", "b", "c"),
  back: fc.nat(5),
  kind: fc.constantFrom("on", "on", "on", "revise", "merge"),
  type: fc.constantFrom("reasoning", "planning", "hunch", "action_report", "question"),
});

type Move = typeof move extends fc.Arbitrary<infer Value> ? Value : never;

/** A session without a fault: numbers as they should be, a time for each thought. */
function soundThoughts(moves: readonly Move[]): object[] {
  const given: { number: number; branchId: string | undefined }[] = [];
  return moves.map(({ track, back, kind, type }, at) => {
    const own = given.filter(({ branchId }) => branchId === track);
    const main = given.filter(({ branchId }) => branchId === undefined);
    const isBranch = track !== undefined && main.length > 0;
    const origin = isBranch && own.length === 0 ? main.at(-1 - (back % main.length)) : undefined;
    const rivals = isBranch ? [...own, ...(origin ? [origin] : [])] : given;
    const number = 1 + Math.max(0, ...rivals.map((one) => one.number));
    const branchId = isBranch ? track : undefined;
    const revised = kind === "revise" ? own.at(-1 - back)?.number : undefined;
    const ended = [...new Set(given.flatMap((one) => one.branchId ?? []))];
    const merged = kind === "merge" && !isBranch ? ended : [];
    given.push({ number, branchId });
    return {
      id: `t${at}`,
      thoughtNumber: number,
      thought: `Thought ${at}`,
      thoughtType: type,
      timestamp: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(),
      ...(branchId !== undefined && { branchId }),
      ...(origin !== undefined && { branchFromThought: origin.number }),
      ...(revised !== undefined && { isRevision: true, revisesThought: revised }),
      ...(merged.length > 0 && { mergesBranches: merged }),
    };
  });
}

test("a sound session of any shape loses no tie, in whatever order its file lists it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(move, { maxLength: 30 }),
      fc.infiniteStream(fc.nat()),
      async (moves, chance) => {
        const thoughts = soundThoughts(moves);
        const file = { session: { id: "s" }, thoughts };
        const { session } = await imported(file);
        const edges = edgesOf(session);
        const count = (field: string): number =>
          thoughts.reduce((sum, one) => {
            const value = (one as Readonly<Record<string, unknown>>)[field];
            return sum + (value === undefined ? 0 : Array.isArray(value) ? value.length : 1);
          }, 0);
        const ofType = (type: string): number => edges.filter(([, one]) => one === type).length;
        expect([ofType("revises"), ofType("branches_from"), ofType("merges")]).toEqual([
          count("revisesThought"),
          count("branchFromThought"),
          count("mergesBranches"),
        ]);
        const shuffled = {
          ...file,
          thoughts: thoughts
            .map((one) => ({ one, at: chance.next().value }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ one }) => one),
        };
        const again = (await imported(shuffled)).session;
        expect(edgesOf(again)).toEqual(edges);
        expect(thoughtboxFromSession(again)).toEqual(shuffled);
      },
    ),
  );
});

test("any session comes back as it was, and what it becomes is a sound document", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(thought, { maxLength: 12 }),
      fc.record(
        { id: fc.constant("s"), title: anyText, status: fc.jsonValue() },
        { requiredKeys: ["id"] },
      ),
      async (thoughts, session) => {
        const file = JSON.parse(JSON.stringify({ session, thoughts }));
        // Secrets do not come back, and `pwd` is a name that chance finds.
        fc.pre(isDeepStrictEqual(defaultRedactor.value(file, ""), file));
        const { session: document } = await imported(file);
        const read = readSession(JSON.stringify(document));
        // What a file refers to need not be in it.
        const problems = read.ok ? checkSession(read.session) : [{ code: "unreadable" }];
        expect(problems.filter(({ code }) => code !== "dangling_dependency")).toEqual([]);
        expect(thoughtboxFromSession(document)).toEqual(file);
      },
    ),
  );
});
