import { expect, test } from "vitest";
import { membersOf, textOf } from "../plain-values.ts";
import { createSpawns, type Spawns } from "./spawns.ts";

const SPAWNING = new Set(["delegate"]);
const promptsOf = ({ tasks }: Readonly<Record<string, unknown>>) =>
  Object.values(membersOf(tasks)).flatMap((one) => textOf(one) ?? []);

/** One call that asks for two agents. */
function asked(): Spawns {
  const spawns = createSpawns(SPAWNING, promptsOf);
  const input = { tasks: { one: "Look left.", other: "Look right." } };
  const ids = { toolUseId: "c1", spanId: "s1", traceId: "t1", uuid: undefined };
  spawns.asked({ ...ids, name: "delegate", input, ms: 0 });
  return spawns;
}

test.each([
  ["Look left.", "Look right."],
  ["Look right.", "Look left."],
])(
  "each of several agents that one call asked for is found, and each that is missing told (%s)",
  (first, second) => {
    const spawns = asked();
    expect(spawns.untaken).toBe(2);
    expect(spawns.byPrompt(first, 1)?.task.toolUseId).toBe("c1");
    expect(spawns.byPrompt(first, 1)).toBeUndefined();
    expect(spawns.untaken).toBe(1);
    expect(spawns.byPrompt(second, 1)?.task.toolUseId).toBe("c1");
    expect(spawns.untaken).toBe(0);
  },
);

test("a call whose agents an id names waits for none by its prompts", () => {
  const named = asked();
  named.answered("c1", "run");
  const taken = asked();
  taken.byTool("c1");
  for (const spawns of [named, taken])
    for (const prompt of ["Look left.", "Look right."])
      expect(spawns.byPrompt(prompt, 1)).toBeUndefined();
  expect([named.byAgent("run")?.task.toolUseId, named.untaken, taken.untaken]).toEqual([
    "c1",
    0,
    0,
  ]);
});

test("several tasks of a tool that asks with a prompt are no prompts", () => {
  const spawns = createSpawns(SPAWNING);
  const input = { prompt: "Look left.", tasks: ["Look right."] };
  const ids = { toolUseId: "c1", spanId: "s1", traceId: "t1", uuid: undefined };
  spawns.asked({ ...ids, name: "delegate", input, ms: 0 });
  expect(spawns.byPrompt("Look right.", 1)).toBeUndefined();
  expect(spawns.untaken).toBe(1);
});
