import { join } from "node:path";
import { expect, test } from "vitest";
import { toolLoop } from "./setups/completion.ts";
import { REGISTER, runApp } from "./setups/run-app.ts";

test("a thought that openai's own loop executes is one step, between the call that gave it and the one that reads it", async () => {
  const app = join(import.meta.dirname, "setups/apps/run-tools-aloud.mjs");
  const said = JSON.stringify({ thought: "First the map.", thought_type: "planning" });
  const { stdout, stderr, sessions } = await runApp(
    ["--import", REGISTER, app],
    toolLoop("call_12345678", "think_aloud", "Gone.", said),
  );
  expect({ stdout, stderr }).toEqual({ stdout: "Gone.\n", stderr: "" });
  const steps = sessions.flatMap(({ conversations }) => conversations.flatMap((run) => run.steps));
  const [first, second] = steps.filter(({ label }) => label === "assistant_call");
  expect(steps.map(({ label }) => label)).toEqual([
    "tool.schemas.snapshot",
    "user_message",
    "assistant_call",
    "thought",
    "assistant_call",
    "assistant_message",
  ]);
  expect(steps[3]).toMatchObject({
    step_id: "thought-1",
    origin: "recorded",
    edges: [{ to: first?.step_id, type: "requests" }],
    payload_started: { thought: "First the map.", call_id: "call_12345678" },
  });
  expect(second?.edges).toContainEqual(
    expect.objectContaining({ to: "thought-1", type: "reads", origin: "observed" }),
  );
});
