import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { codex } from "./codex.ts";

const line = (seconds: number, type: string, payload: object) =>
  JSON.stringify({ timestamp: `2026-03-01T10:00:0${seconds}.000Z`, type, payload });

async function statusOf(output: string): Promise<string | undefined> {
  const call = { call_id: "c", name: "shell_command", arguments: '{"command":"x"}' };
  const content = [{ type: "input_text", text: "Run x." }];
  const { records } = await recordsOfText(
    codex,
    [
      line(0, "session_meta", { id: "s" }),
      line(1, "response_item", { type: "message", role: "user", content }),
      line(2, "response_item", { type: "function_call", ...call }),
      line(3, "response_item", { type: "function_call_output", call_id: "c", output }),
    ].join("\n"),
  );
  const steps = assemble(records).flatMap(({ conversations }) =>
    conversations.flatMap((run) => run.steps),
  );
  return steps.find(({ label }) => label === "tool_call")?.status;
}

test.each([
  ["Exit code: 1\nWall time: 0.1 seconds\nOutput:\nno such file\n", "error"],
  ["Exit code: -1\nWall time: 0.1 seconds\nOutput:\n", "error"],
  ["Exit code: 0\nWall time: 0.1 seconds\nOutput:\nExit code: 1\nWall time: 2 seconds\n", "ok"],
  ["Wall time: 0.1 seconds\nProcess exited with code 2\nOutput:\n", "error"],
  ['{"output":"","metadata":{"exit_code":1}}', "error"],
])(
  "whether a command failed is told by the code that stands above its words: %j",
  async (output, status) => {
    expect(await statusOf(output)).toBe(status);
  },
);
