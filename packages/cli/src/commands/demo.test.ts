import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSession, type Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { directoryWith } from "../../testing/flow-directory.ts";
import { runCli } from "../../testing/spawned-cli.ts";

function sessionsIn(dir: string): readonly Session[] {
  return readdirSync(dir)
    .filter((name) => name.endsWith(".json"))
    .map((name) => {
      const result = readSession(readFileSync(join(dir, name), "utf8"));
      if (!result.ok) throw new Error(JSON.stringify(result.problems));
      return result.session;
    })
    .sort((a, b) => String(a.started_at).localeCompare(String(b.started_at)));
}

/** What kinds of steps a session's runs have, in their order. */
const labelsOf = ({ conversations }: Session) =>
  conversations.map(({ steps }) => steps.map(({ label }) => label).join(" "));

test("the demo shows recorded traffic as four sessions, with the app's results unchanged", async () => {
  const cwd = directoryWith();
  const { exitCode, stdout, stderr } = await runCli(["demo"], cwd);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toContain("  multiplication 1231 × 2331 = **2,869,461**\n");
  expect(stdout).toContain(
    "  unknownModel   NotFoundError: 404 The model `this-model-does-not-exist`",
  );
  expect(stdout).toContain("  twoTurns       바다: 나는 바다를 좋아해요.\n");
  expect(stdout).toContain(
    "  weather        Today, the weather in Seattle is 50 degrees and raining,",
  );

  const sessions = sessionsIn(join(cwd, "thoughtflow"));
  const answer = "assistant_call assistant_message";
  expect(sessions.map(labelsOf)).toEqual([
    [`tool.schemas.snapshot user_message assistant_call tool_call tool_output ${answer}`],
    ["user_message assistant_call"],
    [`user_message ${answer}`, `user_message ${answer}`],
    [
      `policy.snapshot tool.schemas.snapshot user_message assistant_call tool_call tool_call tool_output tool_output ${answer}`,
    ],
  ]);
  for (const { session_id } of sessions) {
    expect(stdout).toContain(`${join("thoughtflow", session_id)}.json .d2 .svg\n`);
  }
});
