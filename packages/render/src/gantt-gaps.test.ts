import type { Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { at, call, tool } from "../fixtures/agent-calls.ts";
import { gantt } from "./gantt.ts";

test("the legend names the lines of tools and of pauses only where bars and tools leave something of them to see", () => {
  const legendWith = (...steps: Step[]) => {
    const session = { session_id: "s", conversations: [{ conversation_id: "r", steps }] };
    return gantt.render(session).match(/tools at work|between its requests/g) ?? [];
  };
  const between = (start: number, end: number) => ({
    started_at: at(start),
    ended_at: at(end),
    duration_ms: (end - start) * 1_000,
  });
  const calls = [call("c1", "main", 0, between(0, 30)), call("c2", "main", 30, between(30, 90))];
  expect(legendWith(...calls, tool("t1", "c1", "main", between(30, 80)))).toEqual([]);
  expect(legendWith(...calls, tool("t1", "c1", "main", between(30, 99)))).toEqual([
    "tools at work",
  ]);
  const later = call("c3", "main", 150, between(150, 160));
  expect(legendWith(...calls, later)).toEqual(["between its requests"]);
  expect(legendWith(...calls, later, tool("t1", "c2", "main", between(90, 150)))).toEqual([
    "tools at work",
  ]);
});
