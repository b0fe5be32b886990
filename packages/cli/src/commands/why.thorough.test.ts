import { expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { thoughtflow } from "../thoughtflow.ts";

async function run(argv: readonly string[], files: Readonly<Record<string, string>>) {
  const io = capturedIo(directoryWith(files));
  const exitCode = await thoughtflow(argv, io);
  return { exitCode, stdout: io.stdout(), stderr: io.stderr() };
}

test("a way of thousands of steps is JSON that can be read, and says where it goes on", async () => {
  const steps = Array.from({ length: 20_000 }, (_, at) => ({
    step_id: `s${at}`,
    label: "thought",
    ...(at > 0 && { edges: [{ to: `s${at - 1}`, type: "follows", origin: "declared" }] }),
  }));
  const document = { session_id: "s", conversations: [{ conversation_id: "r", steps }] };
  const files = { "thoughtflow/s.json": JSON.stringify(document) };
  const { stdout } = await run(["why", "s", "--format", "raw"], files);
  let at = JSON.parse(stdout);
  while (at.rests_on !== undefined) [at] = at.rests_on;
  expect(at).toMatchObject({ step_id: "s19500", goes_on: true });
  expect((await run(["why", "s"], files)).stdout).toMatch(/… 19,700 more lines\n$/);
});
