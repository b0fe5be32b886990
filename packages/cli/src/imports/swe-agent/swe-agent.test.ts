import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { checkSession } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf, recordsOfText } from "../../../testing/imported-records.ts";
import { specimenOf } from "../../../testing/loss-specimen.ts";
import { ImportProblem } from "../import-format.ts";
import { filesBelow, sourceFile } from "../source-file.ts";
import { sweAgent } from "./swe-agent.ts";
import { titleOfTask } from "./title-of-task.ts";

const fixtures = fileURLToPath(new URL("../../../fixtures/swe-agent/", import.meta.url));

const { records, warnings } = await recordsOf(
  sweAgent,
  (await filesBelow(fixtures, () => true)).map((path) => sourceFile(path, path)),
);
const sessions = assemble(records);
const figures = sessions.map(({ title, totals, conversations }) => ({
  title,
  calls: totals?.model_calls,
  tools: totals?.tool_calls,
  outputs: conversations[0]?.steps.filter(({ label }) => label === "tool_output").length,
  status: (conversations[0]?.final_state as { exit_status?: string } | undefined)?.exit_status,
}));

test("a trajectory of mini-swe-agent has each call with its tokens and its time, in all three ways to ask for a command", async () => {
  const { records } = await recordsOfText(
    sweAgent,
    specimenOf("swe-agent")["fix-b.traj.json"] ?? "",
  );
  const [session] = assemble(records);
  const { input_tokens, output_tokens, model_calls, tool_calls, errors } = session?.totals ?? {};
  expect({ input_tokens, output_tokens, model_calls, tool_calls, errors }).toEqual({
    input_tokens: 220,
    output_tokens: 18,
    model_calls: 3,
    tool_calls: 4,
    errors: 2,
  });
  const steps = session?.conversations.flatMap((run) => run.steps) ?? [];
  const calls = steps.filter(({ label }) => label === "assistant_call");
  expect(calls.map(({ duration_ms: ms }) => ms)).toEqual([2500, 1500, 1000]);
  const results = steps.filter(({ label }) => /^tool_(output|error)$/.test(label));
  expect(results.length).toBe(4);
});

test("of versions before 2 the text that the model was given tells whether a command failed", async () => {
  const answer = { role: "assistant", content: "Look.\n\n```bash\nls\n```" };
  const given = (words: string) => ({ role: "user", content: words });
  const codes = [
    "<returncode>0</returncode>\n<output>\n<returncode>1</returncode></output>",
    "<returncode>2</returncode>\n<output>\nno such file</output>",
    "<exception>timed out</exception>\n<returncode>-1</returncode>\n<output>\n</output>",
  ];
  const { records } = await recordsOfText(
    sweAgent,
    JSON.stringify({
      info: { exit_status: "Submitted", mini_version: "1.14.0" },
      messages: [
        { role: "system", content: "You help." },
        given("Mend it."),
        ...codes.flatMap((code) => [answer, given(code)]),
      ],
      trajectory_format: "mini-swe-agent-1",
    }),
  );
  const steps = assemble(records).flatMap(({ conversations }) =>
    conversations.flatMap((run) => run.steps),
  );
  expect(
    steps.flatMap(({ label }) => (/^tool_(output|error)$/.test(label) ? [label] : [])),
  ).toEqual(["tool_output", "tool_error", "tool_error"]);
});

test("the command that hands in gave what was handed in", async () => {
  const call = { id: "c1", type: "function", function: { name: "bash", arguments: "{}" } };
  const trajectory = (exit: object) => ({
    info: exit,
    messages: [
      { role: "user", content: "Mend it." },
      { role: "assistant", content: "Here.", tool_calls: [call] },
      { role: "exit", content: "diff --git", extra: exit },
    ],
    trajectory_format: "mini-swe-agent-1.1",
  });
  const toolsOf = async (exit_status: string) => {
    const { records } = await recordsOfText(sweAgent, JSON.stringify(trajectory({ exit_status })));
    const steps = assemble(records).flatMap((one) => one.conversations.flatMap((run) => run.steps));
    return steps.flatMap(({ label, status, payload_completed: gave }) =>
      label.startsWith("tool") ? [[label, status, gave?.["result"]]] : [],
    );
  };
  expect(await toolsOf("Submitted")).toEqual([
    ["tool_call", "ok", undefined],
    ["tool_output", "ok", "diff --git"],
  ]);
  expect(await toolsOf("TimeExceeded")).toEqual([["tool_call", "abandoned", undefined]]);
});

test("each trajectory has an agent of its own, though all number their messages from 1", () => {
  const ids = sessions.flatMap(({ agents = [] }) => agents.map(({ agent_id }) => agent_id));
  expect(new Set(ids).size).toBe(sessions.length);
});

test("each real trajectory has as many calls and results as actions, and is called after its task where one is told", () => {
  for (const session of sessions) expect(checkSession(session)).toEqual([]);
  const five = { calls: 5, tools: 5, outputs: 5 };
  const inOrder = figures.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
  expect(inOrder).toEqual([
    {
      title: "I have a function that has a bug and needs to be fixed, can you help?",
      ...five,
      status: "submitted",
    },
    { title: "misc__networking_1", calls: 4, tools: 4, outputs: 4, status: "submitted" },
    { title: "SyntaxError: invalid syntax", ...five, status: undefined },
    { title: "SyntaxError: invalid syntax", ...five, status: "submitted" },
  ]);
});

const keyOf = ({ title, status = "" }: (typeof figures)[number]): string => `${title} ${status}`;

test.each([
  ["Please solve this issue: Fix the parser\n\nYou can execute commands.", "Fix the parser"],
  [
    "<pr_description>\nConsider the following PR description:\nTimes are cut\nMore.\n</pr_description>",
    "Times are cut",
  ],
  [
    "<uploaded_files>\n/testbed\n</uploaded_files>\nI've uploaded a repository.\n\n<pr_description>\n# Times are cut\n\nMore.",
    "Times are cut",
  ],
  ["Mend it. Then stop.", "Mend it."],
  ["The description is:\nNo description provided\n", undefined],
  ["", undefined],
])("a trajectory that was told %j is called %j", (told, title) => {
  expect(titleOfTask(told)).toBe(title);
});

test("tokens are the sums that the program counted, in a step", () => {
  const [session] = sessions.filter(({ session_id: id }) =>
    id.startsWith("gpt4__swe-agent-test-repo"),
  );
  const { input_tokens, output_tokens, model_calls } = session?.totals ?? {};
  expect([input_tokens, output_tokens, model_calls]).toEqual([7141, 243, 5]);
});

test("all fields of real trajectories are known, and what is left out is told", () => {
  expect(warnings.filter((line) => line.includes("not known"))).toEqual([]);
  expect(warnings).toContain(
    "Left out: 14 × trajectory trajectory[].state: the shell's prompt in the observation tells it.",
  );
});

function attempt(...said: readonly string[]): object {
  const step = (thought: string) => ({ action: "ls", thought, response: thought });
  const message = (role: string, content: string) => ({ role, content, agent: "main" });
  return {
    history: [
      message("system", "Be brief."),
      message("user", "Mend it."),
      ...said.flatMap((words) => [
        { ...message("assistant", words), ...step(words) },
        message("user", "a.py"),
      ]),
    ],
    trajectory: [
      ...said.map((words) => ({ ...step(words), observation: "a.py" })),
      {
        action: "",
        thought: "Exit due to cost limit",
        response: "Exit due to cost limit",
        observation: "Exited (autosubmitted)",
      },
    ],
    info: { exit_status: "submitted (exit_cost)" },
  };
}

test("what the program says as it ends a run is no call of a model", async () => {
  const { records } = await recordsOfText(sweAgent, JSON.stringify(attempt("First.", "Second.")));
  const [session] = assemble(records);
  const { runs, model_calls, tool_calls } = session?.totals ?? {};
  expect([runs, model_calls, tool_calls]).toEqual([1, 2, 2]);
  expect(JSON.stringify(session)).toContain("Exit due to cost limit\\nExited (autosubmitted)");
});

test("a task that was tried several times has a run for each attempt, each from the beginning, and tokens once", async () => {
  const attempts = [attempt("One."), attempt("Two.", "Three.")];
  const info = { model_stats: { tokens_sent: 90, tokens_received: 6 } };
  const { records } = await recordsOfText(
    sweAgent,
    JSON.stringify({ ...attempts[1], attempts, info }),
  );
  const [session] = assemble(records);
  expect(session && checkSession(session)).toEqual([]);
  const { model_calls, tool_calls, input_tokens } = session?.totals ?? {};
  expect([model_calls, tool_calls, input_tokens]).toEqual([3, 3, 90]);
  const words = session?.conversations.map(({ steps }) =>
    steps.flatMap(({ label, payload_completed: gave }) =>
      label === "assistant_message" ? gave?.["text"] : [],
    ),
  );
  expect(words).toEqual([["One."], ["Two.", "Three."]]);
});

test("a trajectory that was cut off is told as what it is", async () => {
  await expect(recordsOfText(sweAgent, '{"trajectory": [{"acti')).rejects.toThrow(ImportProblem);
});

test("what all calls cost is told where the program counted no tokens, as it does for models that it runs itself", async () => {
  const trajectory = {
    environment: "swe_main",
    trajectory: [{ action: "ls", observation: "a.py", response: "I look.", thought: "I look." }],
    history: [
      { role: "system", content: "You fix." },
      { role: "user", content: "Fix it." },
      { role: "assistant", content: "I look.", thought: "I look.", action: "ls" },
      { role: "user", content: "a.py" },
    ],
    info: {
      exit_status: "submitted",
      model_stats: { instance_cost: 0.5, tokens_sent: 0, tokens_received: 0, api_calls: 1 },
    },
  };
  const { records } = await recordsOfText(sweAgent, JSON.stringify(trajectory));
  const [session] = assemble(records);
  const { model_calls, input_tokens, cost } = session?.totals ?? {};
  expect([model_calls, input_tokens, cost?.total]).toEqual([1, undefined, "0.5"]);
});
