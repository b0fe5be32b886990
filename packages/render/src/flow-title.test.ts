import type { Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { runHeading } from "./flow-title.ts";

const said = (text: string, agent_id?: string): Step => ({
  step_id: text,
  label: "user_message",
  ...(agent_id !== undefined && { agent_id }),
  payload_started: { text },
});

test.each([
  ["Claude Code", "Fix it.", "Claude Code · Fix it."],
  // Imports of logs of requests call a run after what was said, cut where that is long.
  ["Fix it.", "Fix it.", "Fix it."],
  ["Fix it, and…", "Fix it, and test it.", "Fix it, and test it."],
  ["Fix it.", "<system-reminder>It is late.</system-reminder>\nFix  it.", "Fix it."],
  ["invoke_agent", "Fix it.", "Fix it."],
  ["invoke_agent reviewer", "Fix it.", "reviewer · Fix it."],
])("a run called %j in which was said %j has the heading %j", (name, text, heading) => {
  expect(runHeading({ conversation_id: "r", name, steps: [said(text)] }, 60)).toBe(heading);
});

test("what a sub-agent was asked is not what was said to the run", () => {
  const edges = [{ to: "t1", type: "spawns", origin: "observed" as const }];
  const agent: Step = { step_id: "a1", label: "agent", agent_id: "sub", edges };
  const steps = [agent, said("Count them.", "sub")];
  const run = { conversation_id: "r", name: "Claude Code" };
  expect(runHeading({ ...run, steps }, 60)).toBe("Claude Code");
  expect(runHeading({ ...run, steps: [...steps, said("Go on.", "main")] }, 60)).toBe(
    "Claude Code · Go on.",
  );
});
