import { expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { thoughtflow } from "../thoughtflow.ts";

const TRAJECTORY = {
  environment: "swe_main",
  trajectory: [{ action: "ls", observation: "a.py", response: "I look.", thought: "I look." }],
  history: [
    { role: "user", content: "Fix it." },
    { role: "assistant", content: "I look.", thought: "I look.", action: "ls" },
    { role: "user", content: "a.py" },
  ],
  info: { exit_status: "submitted" },
};

const VIEWS = ["tree", "thread", "model"].map((view) => ["show", "--view", view]);
const PICTURES = ["d2", "svg", "gantt", "mermaid", "markdown"].map((to) => ["convert", "--to", to]);

test("of a session of a format without times nobody says how long it took, or when", async () => {
  const io = capturedIo(directoryWith({ "fix.traj": JSON.stringify(TRAJECTORY) }));
  await thoughtflow(["import", "swe-agent", "fix.traj", "--out", "flows"], io);
  for (const [command = "", ...options] of [...VIEWS, ...PICTURES, ["list"]])
    await thoughtflow(
      [command, ...(command === "list" ? [] : ["latest"]), ...options, "--dir", "flows"],
      io,
    );
  expect(io.stdout()).toContain("completed · 1 run · 5 steps");
  expect(io.stdout().match(/\b0 ms|1970/g)).toBeNull();
});
