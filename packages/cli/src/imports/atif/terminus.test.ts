import { join } from "node:path";
import { assemble } from "@thoughtflow/assemble";
import { checkSession, type Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { directoryWith } from "../../../testing/flow-directory.ts";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceFile } from "../source-file.ts";
import { atif } from "./atif.ts";

type Fields = Readonly<Record<string, unknown>>;

const trajectory = (session_id: string, steps: readonly Fields[], more: Fields = {}) => ({
  schema_version: "ATIF-v1.5",
  session_id,
  agent: { name: "terminus-2", version: "2.0.0", model_name: "openai/gpt-4o" },
  steps: steps.map((step, nth) => ({ step_id: nth + 1, ...step })),
  ...more,
});
const user = (message: string, more: Fields = {}) => ({ source: "user", message, ...more });
const agent = (message: string, calls: readonly string[], results: readonly Fields[]) => ({
  source: "agent",
  message,
  ...(calls.length > 0 && {
    tool_calls: calls.map((tool_call_id) => ({
      tool_call_id,
      function_name: "bash_command",
      arguments: { keystrokes: "ls\n" },
    })),
  }),
  observation: { results },
  metrics: { prompt_tokens: 100, completion_tokens: 10 },
});

/** Reads one file, with those that belong to it, as the command does. */
async function imported(files: Readonly<Record<string, object>>, first: string) {
  const directory = directoryWith(
    Object.fromEntries(Object.entries(files).map(([name, one]) => [name, JSON.stringify(one)])),
  );
  const path = join(directory, first);
  const paths = [path, ...((await atif.besides?.(path)) ?? [])];
  const { records, warnings } = await recordsOf(
    atif,
    paths.map((one) => sourceFile(one, one)),
  );
  const sessions = assemble(records) as Session[];
  for (const session of sessions) expect(checkSession(session)).toEqual([]);
  return { sessions, warnings };
}

test("a result that names no call is that of the calls of its step that none names", async () => {
  const steps = [
    user("Go."),
    agent("One.", ["c1"], [{ content: "first" }]),
    // The terminal is seen once all keys were sent.
    agent("Two.", ["c2", "c3"], [{ content: "both" }]),
    agent("Three.", ["c4", "c5"], [{ content: "four" }, { content: "five" }]),
    agent("Four.", ["c6", "c7"], [{ source_call_id: "c7", content: "seven" }, { content: "six" }]),
    agent("Five.", [], [{ content: "seen" }]),
  ];
  const { sessions } = await imported(
    { "trajectory.json": trajectory("s", steps) },
    "trajectory.json",
  );
  const told = sessions[0]?.conversations.flatMap((run) => run.steps) ?? [];
  expect(sessions[0]?.status).toBe("completed");
  expect(
    told
      .filter(({ label }) => label === "tool_output")
      .map(({ payload_completed: gave }) => gave?.["result"]),
  ).toEqual(["first", "both", "both", "four", "five", "six", "seven"]);
  expect(told.filter(({ label }) => label === "generic").length).toBe(1);
});

const summed = (name: string) => ({
  session_id: `s-${name}`,
  trajectory_path: `trajectory.summarization-1-${name}.json`,
});
const handedOn = {
  source: "system",
  message: "Performed context summarization and handoff to continue task.",
  observation: {
    results: [{ subagent_trajectory_ref: [summed("summary"), summed("questions")] }],
  },
};
const SUMMARIES = {
  "trajectory.summarization-1-summary.json": trajectory("s-summary", [
    user("Go.", { is_copied_context: true }),
    user("Sum it up."),
    agent("All was done.", [], []),
  ]),
  "trajectory.summarization-1-questions.json": trajectory("s-questions", [
    user("You pick up work."),
    agent("What is left?", [], []),
  ]),
};

test("sub-agents that a step names which is no call were begun by that step", async () => {
  const main = trajectory("s", [
    user("Go."),
    agent("One.", ["c1"], [{ content: "first" }]),
    handedOn,
    user("Here are the answers."),
    agent("Two.", [], []),
  ]);
  const { sessions, warnings } = await imported(
    { "trajectory.json": main, ...SUMMARIES },
    "trajectory.json",
  );
  expect(sessions.length).toBe(1);
  const [session] = sessions;
  const steps = session?.conversations.flatMap((run) =>
    run.steps.map((step) => ({ ...step, at: `${run.conversation_id}/${step.step_id}` })),
  );
  const [first, ...others] = session?.agents ?? [];
  expect(
    others.map(({ parent_agent_id: parent, origin, spawned_by: by, totals }) => [
      parent === first?.agent_id,
      origin,
      steps?.find(({ at }) => at === by)?.label,
      totals?.model_calls,
    ]),
  ).toEqual([
    [true, "observed", "generic", 1],
    [true, "observed", "generic", 1],
  ]);
  expect(session?.totals).toMatchObject({ model_calls: 4, input_tokens: 400 });
  expect(warnings.join()).not.toContain("No tool call asked");
});

test("sub-agents that a step names when they are done have begun with their own first steps", async () => {
  const at = (seconds: number) => ({ timestamp: `2026-09-03T00:00:0${seconds}.000Z` });
  const copied = user("Go.", { is_copied_context: true, ...at(1) });
  const { sessions } = await imported(
    {
      "trajectory.json": trajectory("s", [
        user("Go.", at(0)),
        { ...agent("One.", [], []), ...at(1) },
        { ...handedOn, ...at(6) },
      ]),
      "trajectory.summarization-1-summary.json": trajectory("s-summary", [
        copied,
        user("Sum it up.", at(2)),
        { ...agent("All was done.", [], []), ...at(3) },
      ]),
      "trajectory.summarization-1-questions.json": trajectory("s-questions", [
        user("You pick up work.", at(4)),
        { ...agent("What is left?", [], []), ...at(5) },
      ]),
    },
    "trajectory.json",
  );
  const [session] = sessions;
  const steps = session?.conversations.flatMap((run) => run.steps) ?? [];
  const agents = steps.filter(({ label }) => label === "agent");
  expect(agents.map((step) => [step.started_at, step.duration_ms])).toEqual([
    [at(2).timestamp, 1000],
    [at(4).timestamp, 1000],
  ]);
  expect(session?.warnings).toBeUndefined();
});

test("a trajectory that is named alone is read with those that go on from it", async () => {
  const { sessions } = await imported(
    {
      "trajectory.json": trajectory("s", [user("Go."), agent("One.", [], [])], {
        continued_trajectory_ref: "trajectory.cont-1.json",
      }),
      "trajectory.cont-1.json": trajectory("s", [agent("Two.", [], [])], {
        continued_trajectory_ref: "trajectory.cont-2.json",
      }),
      "trajectory.cont-2.json": trajectory("s", [agent("Three.", [], []), handedOn]),
      ...SUMMARIES,
    },
    "trajectory.json",
  );
  expect(sessions.map(({ totals }) => totals?.model_calls)).toEqual([5]);
});
