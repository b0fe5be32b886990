import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf, recordsOfText } from "../../../testing/imported-records.ts";
import { type SourceFile, sourceText } from "../source-file.ts";
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
  // What is beyond that may be the sub-agent's.
  const metrics = { prompt_tokens: 60, completion_tokens: 6 };
  const [first, second, ...rest] = trajectory.steps;
  const measured = { ...trajectory, steps: [first, { ...second, metrics }, ...rest] };
  expect(await told(measured)).toEqual([
    [3, 100, 9],
    [2, 60, 6],
    [1, 40, 3],
  ]);
});

/** What a session has of a step that no call tells, and in all. */
async function untoldOf(files: readonly SourceFile[]) {
  const { records } = await recordsOf(atif, files);
  return assemble(records).map(({ totals, conversations }) => ({
    all: [totals?.input_tokens, totals?.output_tokens],
    untold: conversations
      .flatMap(({ steps }) => steps)
      .filter(({ label, usage }) => label === "generic" && usage !== undefined)
      .map(({ usage }) => [usage?.input_tokens, usage?.output_tokens]),
  }));
}

const told = (input: number, output: number, step_id = 2) => ({
  ...{ step_id, source: "agent", message: `${step_id} done.` },
  metrics: { prompt_tokens: input, completion_tokens: output },
});

// As Harbor's adapter of mini-swe-agent writes them.
test("what a trajectory sums up beyond its steps is a step, and what it sums up below them is not", async () => {
  const trajectory = (steps: readonly object[], final: object) => [
    sourceText(
      JSON.stringify({
        schema_version: "ATIF-v1.2",
        session_id: "s",
        agent,
        steps,
        final_metrics: final,
      }),
      "trajectory.json",
    ),
  ];
  const steps = [asked, told(1_011, 33)];
  expect(await untoldOf(trajectory(steps, sums(4_110, 150)))).toEqual([
    { all: [4_110, 150], untold: [[3_099, 117]] },
  ]);
  expect(await untoldOf(trajectory(steps, sums(1_011, 33)))).toEqual([
    { all: [1_011, 33], untold: [[0, 0]] },
  ]);
  expect(await untoldOf(trajectory(steps, sums(1_000, 20)))).toEqual([
    { all: [1_011, 33], untold: [[0, 0]] },
  ]);
});

// As Terminus 2 writes them.
test("sums that hold what the trajectories before it took, and its sub-agents, count no token twice", async () => {
  const inner = {
    ...{ schema_version: "ATIF-v1.8", trajectory_id: "sub", agent: { ...agent, name: "Sub" } },
    ...{ steps: [{ ...asked, message: "Sum up." }, told(500, 200)], final_metrics: sums(500, 200) },
  };
  const file = (name: string, one: object) => ({
    ...sourceText(
      JSON.stringify({ schema_version: "ATIF-v1.8", session_id: "s", agent, ...one }),
      name,
    ),
    path: `/there/${name}`,
  });
  const files = (last: object) => [
    file("trajectory.json", {
      steps: [asked, told(2_252, 160)],
      final_metrics: sums(2_252, 160),
      continued_trajectory_ref: "trajectory.cont-1.json",
    }),
    file("trajectory.cont-1.json", {
      steps: [asked, told(4_250, 530), { ...told(900, 90, 3), is_copied_context: true }],
      subagent_trajectories: [inner],
      final_metrics: last,
    }),
  ];
  expect(await untoldOf(files(sums(7_002, 890)))).toMatchObject([{ all: [7_002, 890] }]);
  expect(await untoldOf(files(sums(7_102, 900)))).toMatchObject([{ all: [7_102, 900] }]);
  expect(await untoldOf(files(sums(4_250, 530)))).toMatchObject([{ all: [7_002, 890] }]);
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
