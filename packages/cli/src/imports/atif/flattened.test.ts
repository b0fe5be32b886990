import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { atif } from "./atif.ts";

type Fields = Readonly<Record<string, unknown>>;

const at = (second: number) => new Date(Date.UTC(2026, 5, 1, 9, 0, second)).toISOString();
const of = (agent_id?: string) => ({
  extra: { is_sidechain: agent_id !== undefined, ...(agent_id !== undefined && { agent_id }) },
});
const user = (second: number, message: string, agent?: string) => ({
  timestamp: at(second),
  source: "user",
  message,
  ...of(agent),
});
const answer = (second: number, message: string, agent?: string, more: Fields = {}) => ({
  timestamp: at(second),
  source: "agent",
  message,
  metrics: { prompt_tokens: 100, completion_tokens: 10 },
  ...of(agent),
  ...more,
});
const asked = (
  calls: readonly (readonly [id: string, name: string, args: Fields])[],
  failed = "",
) => ({
  tool_calls: calls.map(([tool_call_id, function_name, args]) => ({
    tool_call_id,
    function_name,
    arguments: args,
  })),
  observation: {
    results: calls.map(([source_call_id]) => ({
      source_call_id,
      content: "done",
      extra: { tool_result_is_error: source_call_id === failed },
    })),
  },
});

test("sub-agents whose steps stand among those of the main agent are told apart by the ids in them", async () => {
  const task = (id: string, prompt: string) =>
    [id, "Task", { subagent_type: "Explore", prompt }] as const;
  const steps = [
    user(0, "Go."),
    answer(1, "", undefined, asked([task("t1", "Look here."), task("t2", "Look there.")])),
    user(2, "Look here.", "a1"),
    user(3, "Look there.", "a2"),
    answer(4, "", "a2", asked([["t3", "Bash", { command: "ls" }]], "t3")),
    answer(5, "", "a1", asked([task("t4", "Look deeper.")])),
    user(6, "Look deeper.", "a3"),
    answer(7, "Deep.", "a3"),
    answer(8, "Here.", "a1"),
    answer(9, "There.", "a2"),
    answer(10, "Done."),
  ];
  const { records, warnings } = await recordsOfText(
    atif,
    JSON.stringify({
      schema_version: "ATIF-v1.8",
      session_id: "s",
      agent: { name: "claude-code", version: "2", model_name: "m" },
      steps: steps.map((step, nth) => ({ step_id: nth + 1, ...step })),
    }),
  );
  const [session] = assemble(records);
  const calls = new Map(
    session?.conversations.flatMap((run) =>
      run.steps.map((step) => [
        `${run.conversation_id}/${step.step_id}`,
        step.payload_started?.["call_id"],
      ]),
    ),
  );
  expect(
    session?.agents?.map(({ agent_id: id, name, parent_agent_id, spawned_by, totals }) => [
      session.agents?.[0]?.agent_id === id ? "main" : id,
      name,
      session.agents?.[0]?.agent_id === parent_agent_id ? "main" : parent_agent_id,
      calls.get(spawned_by ?? ""),
      totals?.model_calls,
    ]),
  ).toEqual([
    ["main", "claude-code", undefined, undefined, 2],
    ["a1", "Explore", "main", "t1", 2],
    ["a2", "Explore", "main", "t2", 2],
    ["a3", "Explore", "a1", "t4", 1],
  ]);
  expect(session?.totals).toMatchObject({ runs: 1, model_calls: 7, tool_calls: 4, errors: 1 });
  expect(warnings.join()).not.toMatch(/no tool call|nothing is there/);
});
