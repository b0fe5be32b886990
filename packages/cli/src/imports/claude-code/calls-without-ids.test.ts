import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { transcriptLines } from "../../../testing/transcript-lines.ts";
import { claudeCode } from "./claude-code.ts";

test("calls without an id have the results without one, in their order", async () => {
  const { said, answered } = transcriptLines(true);
  const call = (path: string) => ({ type: "tool_use", name: "Read", input: { path } });
  const gave = (content: string) => ({ type: "tool_result", content });
  const text = [
    said("Go"),
    answered("msg_1", [call("a"), { ...call("named"), id: "t1" }, call("b")]),
    said([gave("of a"), { ...gave("of named"), tool_use_id: "t1" }]),
    said([gave("of b")]),
    answered("msg_2", [{ type: "text", text: "Done." }]),
  ].join("");
  const [session] = assemble((await recordsOfText(claudeCode, text)).records);
  const steps = session?.conversations.flatMap((run) => run.steps) ?? [];
  const calls = steps.filter(({ label }) => label === "tool_call");
  const given = (step_id: string) =>
    steps.find(({ edges = [] }) =>
      edges.some(({ to, type }) => type === "returns" && to === step_id),
    );
  expect(
    calls.map(({ step_id, status, payload_started: started }) => [
      started?.["args"],
      status,
      given(step_id)?.payload_completed?.["result"],
    ]),
  ).toEqual([
    [{ path: "a" }, "ok", "of a"],
    [{ path: "named" }, "ok", "of named"],
    [{ path: "b" }, "ok", "of b"],
  ]);
  expect(steps.filter(({ label }) => label === "tool_output")).toHaveLength(3);
});
