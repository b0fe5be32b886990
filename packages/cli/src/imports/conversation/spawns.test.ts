import { expect, test } from "vitest";
import { textOf } from "../plain-values.ts";
import { createSpawns } from "./spawns.ts";

test("a call that asks for no agent, and one that failed, wait for none", () => {
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
