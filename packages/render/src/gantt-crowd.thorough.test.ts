import type { Session, Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { at, call, tool } from "../fixtures/agent-calls.ts";
import { gantt } from "./gantt.ts";

const heightOf = (drawing: string): number => Number(/ height="(\d+)" role/.exec(drawing)?.[1]);
const labelsIn = (drawing: string): readonly string[] =>
  [...drawing.matchAll(/<text x="[\d.]+" y="[\d.]+"(?: class="faint")?>([^<]*)<title>/g)].map(
    ([, label = ""]) => label,
  );
const arrowsIn = (drawing: string): number =>
  drawing.match(/class="arrow \w+"[^>]*><title>/g)?.length ?? 0;

/** A boss, and agents below it or one another, all at work for as long. */
const sessionOf = (
  below: readonly (readonly [id: string, name: string, parent: string | undefined])[],
  more: Partial<Step> = {},
): Session => ({
  session_id: "s",
  agents: [
    { agent_id: "boss", name: "boss" },
    ...below.map(([id, name, parent]) => ({
      agent_id: id,
      name,
      ...(parent !== undefined && { parent_agent_id: parent, spawned_by: "r/t" }),
    })),
  ],
  conversations: [
    {
      conversation_id: "r",
      steps: [
        call("c", "boss", 0),
        tool("t", "c", "boss"),
        ...below.map(([id]) => call(id, id, 3, more)),
      ],
    },
  ],
});

test("ten thousand agents at once are a crowd, whose lane tells how many requests were going on", () => {
  const workers = Array.from({ length: 10_000 }, (_, n) => [`w${n}`, "worker", "boss"] as const);
  const drawing = gantt.render(sessionOf(workers, { status: "error" }));
  expect(labelsIn(drawing)).toEqual([
    "boss",
    "10,000 × worker",
    "up to 10,000 requests at once · 10,000 failed",
  ]);
  expect(heightOf(drawing)).toBeLessThan(400);
  expect(drawing.length).toBeLessThan(20_000);
  expect(arrowsIn(drawing)).toBe(1);
  expect(drawing).not.toContain(">request failed<");
  expect(drawing).toContain("10,001 agents");
});

test("what a program asks for beside an agent, each once and many at a time, is a crowd sooner than agents that were asked for", () => {
  const of = (parent: string | undefined) =>
    Array.from({ length: 40 }, (_, n) => [`w${n}`, "title", parent] as const);
  expect(labelsIn(gantt.render(sessionOf(of(undefined))))).toEqual([
    "boss",
    "40 × title",
    "up to 40 requests at once",
  ]);
  const few = sessionOf([...of(undefined), ...of("boss").slice(0, 8)].slice(-8));
  expect(labelsIn(gantt.render(few))).not.toContain("up to 8 requests at once");
});

test("a crowd's area is as high as many requests were going on, one colour on the other", () => {
  const crowd = Array.from({ length: 200 }, (_, n) => [`w${n}`, "worker", "boss"] as const);
  const session = sessionOf(crowd);
  const [run] = session.conversations;
  // Half of them go on for as long again.
  const steps =
    run?.steps.map((step) =>
      /^w\d*[02468]$/.test(step.step_id) ? { ...step, ended_at: at(7), duration_ms: 4_000 } : step,
    ) ?? [];
  const drawing = gantt.render({ ...session, conversations: [{ conversation_id: "r", steps }] });
  const [, d = ""] = /<path class="a1" d="M([^"]*)Z"/.exec(drawing) ?? [];
  const levels = [...new Set(d.split("L").map((corner) => Number(corner.split(" ")[1])))];
  const [full = 0, half = 0, none = 0] = levels;
  expect(levels).toHaveLength(3);
  expect(none - full).toBe(2 * (none - half));
});

test("agents of as many names as there are agents are folded by who asked for them, and what is folded is told", () => {
  const names = Array.from(
    { length: 2_000 },
    (_, n) => [`w${n}`, `worker ${n}`, n < 20 ? "boss" : `w${Math.floor(n / 20) - 1}`] as const,
  );
  const drawing = gantt.render(sessionOf(names));
  expect(heightOf(drawing)).toBeLessThan(3_500);
  expect(labelsIn(drawing).slice(0, 5)).toEqual([
    "boss",
    "worker 0",
    "420 agents",
    "up to 420 requests at once",
    "worker 1",
  ]);
});

test("of very many that nobody asked for the first have lanes of their own", () => {
  const names = Array.from(
    { length: 5_000 },
    (_, n) => [`w${n}`, `worker ${n}`, undefined] as const,
  );
  const drawing = gantt.render(sessionOf(names));
  expect(heightOf(drawing)).toBeLessThan(3_500);
  expect(labelsIn(drawing).slice(-3)).toEqual([
    "worker 58",
    "4,941 agents",
    "up to 4,941 requests at once",
  ]);
});

test("a chain of a thousand agents is folded below the first of them", () => {
  const chain = Array.from(
    { length: 1_000 },
    (_, n) => [`w${n}`, "worker", n === 0 ? "boss" : `w${n - 1}`] as const,
  );
  const drawing = gantt.render(sessionOf(chain));
  expect(labelsIn(drawing)).toContain("998 × worker");
  expect(heightOf(drawing)).toBeLessThan(3_500);
});

test("requests and failures that no eye tells apart are one bar and one cross, which say how many", () => {
  const steps = Array.from({ length: 20_000 }, (_, n) => [
    call(`c${n}`, "boss", 3 * n),
    tool(`t${n}`, `c${n}`, "boss", { status: "error", payload_started: { name: "Bash" } }),
  ]).flat();
  const drawing = gantt.render({
    session_id: "s",
    conversations: [{ conversation_id: "r", steps }],
  });
  expect(drawing.match(/<rect class="a0"/g)?.length).toBeLessThan(2_000);
  expect(drawing).toMatch(/<title>\d+ requests, the first: /);
  expect(drawing.match(/class="cross"/g)?.length).toBeLessThan(800);
  expect(drawing).toMatch(/<title>failed: Bash ×\d+/);
});
