import { expect, test } from "vitest";
import { textOf } from "../plain-values.ts";
import { createSpawns } from "./spawns.ts";

/** A program that starts agents by `delegate`, which some call without a task. */
function delegating() {
  const spawns = createSpawns(new Set(["delegate"]), ({ task }) => {
    const text = textOf(task);
    return text === undefined ? undefined : [text];
  });
  const ask = (toolUseId: string, input: object) =>
    spawns.asked({
      toolUseId,
      input,
      name: "delegate",
      spanId: toolUseId,
      traceId: "t",
      ms: 0,
      uuid: undefined,
    });
  return { spawns, ask };
}

test("a call that asks for no agent, and one that failed, wait for none", () => {
  const { spawns, ask } = delegating();
  ask("names", { ids: ["left", "right"] });
  ask("fails", { task: "Look." });
  ask("waits", { task: "Look." });
  spawns.ended("fails", 0, true);
  expect([spawns.isAsked("names"), spawns.untaken]).toEqual([false, 1]);
  expect(["Look.", "Look.", "Look."].map((task) => spawns.byPrompt(task, 0)?.task.spanId)).toEqual([
    "waits",
    "fails",
    undefined,
  ]);
});

test("of calls with the same words one is left for the other agent, whichever the results name later", () => {
  const { spawns, ask } = delegating();
  for (const toolUseId of ["first", "second"]) ask(toolUseId, { task: "Look." });
  const one = spawns.byPrompt("Look.", 1, undefined, "one");
  spawns.answered("second", "one");
  const other = spawns.byPrompt("Look.", 2, undefined, "other");
  spawns.answered("first", "other");
  expect([one, other].map((spawn) => spawn?.task.spanId)).toEqual(["first", "second"]);
  expect(spawns.untaken).toBe(0);
});
