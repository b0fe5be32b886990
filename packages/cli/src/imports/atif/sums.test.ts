import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { atif } from "./atif.ts";

const agent = { name: "Main", version: "1", model_name: "m" };
const sums = (input: number, output: number) => ({
  total_prompt_tokens: input,
  total_completion_tokens: output,
  total_cached_tokens: 2,
});
const asked = { step_id: 1, source: "user", message: "Count the files." };

test("where no step tells tokens those that a trajectory sums up count, each agent's as its own", async () => {
  const call = { tool_call_id: "c1", function_name: "hand_on", arguments: { prompt: "Count." } };
  const refs = [{ trajectory_id: "helper" }];
  const helper = {
    schema_version: "ATIF-v1.8",
    trajectory_id: "helper",
    agent: { ...agent, name: "Helper" },
    steps: [
      { ...asked, message: "Count." },
      { step_id: 2, source: "agent", message: "Nine." },
    ],
    final_metrics: sums(40, 3),
  };
  const trajectory = {
    schema_version: "ATIF-v1.8",
    session_id: "s",
    agent,
    steps: [
      asked,
      {
        step_id: 2,
        source: "agent",
        message: "I ask.",
        tool_calls: [call],
        observation: {
          results: [{ source_call_id: "c1", content: "Nine.", subagent_trajectory_ref: refs }],
        },
      },
      { step_id: 3, source: "agent", message: "Nine." },
    ],
    subagent_trajectories: [helper],
    final_metrics: sums(100, 9),
  };
  const told = async (given: object) => {
    const { records } = await recordsOfText(atif, JSON.stringify(given));
    const [{ totals, agents = [] } = {}] = assemble(records);
    return [totals, ...agents.map((one) => one.totals)].map((one) => [
      one?.model_calls,
      one?.input_tokens,
      one?.output_tokens,
    ]);
  };
  expect(await told(trajectory)).toEqual([
    [3, 140, 12],
    [2, 100, 9],
    [1, 40, 3],
  ]);
  const metrics = { prompt_tokens: 50, completion_tokens: 4 };
  const [first, second, ...rest] = trajectory.steps;
  const measured = { ...trajectory, steps: [first, { ...second, metrics }, ...rest] };
  expect(await told(measured)).toEqual([
    [3, 90, 7],
    [2, 50, 4],
    [1, 40, 3],
  ]);
});

/** A trajectory of one call, with the sub-agents' that it embeds. */
const summed = (id: string, cost: number | undefined, inner: readonly object[] = []) => ({
  schema_version: "ATIF-v1.8",
  trajectory_id: id,
  agent: { ...agent, model_name: "own-model" },
  steps: [
    asked,
    { step_id: 2, source: "agent", message: `${id} is done.`, metrics: { logprobs: [-0.1] } },
  ],
  ...(cost !== undefined && { final_metrics: { total_cost_usd: cost } }),
  ...(inner.length > 0 && { subagent_trajectories: inner }),
});

test.each([
  ["alone", summed("main", 0.3), "0.3", ["0.3"]],
  ["of a sub-agent, too", summed("main", 0.3, [summed("sub", 0.1)]), "0.3", ["0.2", "0.1"]],
  [
    "of a sub-agent that tells nothing",
    summed("main", 0.3, [summed("sub", undefined)]),
    "0.3",
    ["0.3", undefined],
  ],
  [
    "where a sub-agent tells only tokens",
    summed("main", 0.3, [{ ...summed("sub", undefined), final_metrics: sums(40, 3) }]),
    null,
    [undefined, null],
  ],
])("a sum of costs without tokens counts once: %s", async (_, trajectory, total, costs) => {
  const { records } = await recordsOfText(atif, JSON.stringify(trajectory));
  const [{ totals, conversations = [] } = {}] = assemble(records);
  expect(totals?.cost?.total).toBe(total);
  const named = conversations
    .flatMap(({ steps }) => steps)
    .filter(({ label, cost }) => label === "generic" && cost !== undefined);
  expect(named.map(({ cost }) => cost?.total).toSorted()).toEqual(
    costs.filter((cost) => cost !== undefined).toSorted(),
  );
});
