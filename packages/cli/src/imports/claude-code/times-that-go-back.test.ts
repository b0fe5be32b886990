import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { claudeCode } from "./claude-code.ts";

test("records whose times go back stand in the order of their file: a call was given what tools gave before it", async () => {
  const record = (second: number, type: string, content: unknown, message: object = {}) =>
    JSON.stringify({
      type,
      uuid: `u-${second}-${type}`,
      sessionId: "made",
      timestamp: new Date(Date.UTC(2026, 0, 1, 10, 0, second)).toISOString(),
      message: { role: type, content, ...message },
    });
  const lines = [
    record(30, "user", "Go."),
    record(20, "assistant", [{ type: "tool_use", id: "t1", name: "Bash", input: {} }], {
      id: "msg_a",
      model: "m",
    }),
    record(10, "user", [{ type: "tool_result", tool_use_id: "t1", content: "a b" }]),
    record(40, "assistant", [{ type: "text", text: "Two." }], { id: "msg_b", model: "m" }),
  ];
  const [session] = assemble((await recordsOfText(claudeCode, lines.join("\n"))).records);
  const steps = session?.conversations.flatMap((run) => run.steps) ?? [];
  expect(steps.map(({ label, started_at }) => [label, started_at?.slice(17, 19)])).toEqual([
    ["user_message", "30"],
    ["assistant_call", "30"],
    ["tool_call", "30"],
    ["tool_output", "30"],
    ["assistant_call", "30"],
    ["assistant_message", "40"],
  ]);
  const [output, last] = [steps[3], steps[4]];
  expect(last?.edges?.map(({ type, to }) => [type, to])).toContainEqual(["reads", output?.step_id]);
});
