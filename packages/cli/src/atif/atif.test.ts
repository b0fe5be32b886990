import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { canonicalJson, type Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { directoryWith, seedText } from "../../testing/flow-directory.ts";
import { recordsOf, recordsOfText } from "../../testing/imported-records.ts";
import { specimenOf } from "../../testing/loss-specimen.ts";
import { recordsBelow, subAgentFile, transcriptLines } from "../../testing/transcript-lines.ts";
import { atif as imported } from "../imports/atif/atif.ts";
import type { ImportFormat } from "../imports/import-format.ts";
import { IMPORT_FORMATS } from "../imports/index.ts";
import { sourceFile, sourceText } from "../imports/source-file.ts";
import { atif } from "./atif.ts";

const transcript = fileURLToPath(
  new URL("../../fixtures/claude-code-entire/10a740e118e0.jsonl", import.meta.url),
);

async function backAndForth(session: Session): Promise<string> {
  const { records } = await recordsOfText(imported, atif.render(session));
  return assemble(records).map(canonicalJson).join("");
}

async function sessionsOf(name: string): Promise<readonly Session[]> {
  const files = Object.entries(specimenOf(name)).map(([file, text]) => ({
    ...sourceText(text, file),
    path: file,
  }));
  const { records } = await recordsOf(IMPORT_FORMATS[name] as ImportFormat, files);
  return assemble(records);
}

test.each([
  "atif",
  "codex",
  "gemini-cli",
  "opencode",
  "openhands",
  "openai-log",
  "pi",
  "proxy-log",
  "swe-agent",
])("what ATIF is made of a session of %s comes back as the same bytes", async (name) => {
  for (const session of await sessionsOf(name))
    expect(await backAndForth(session)).toBe(canonicalJson(session));
});

test("a real session with a sub-agent comes back as the same bytes, its edges with their origins", async () => {
  const { records } = await recordsOf(IMPORT_FORMATS["claude-code"] as ImportFormat, [
    sourceFile(transcript, "10a740e118e0.jsonl"),
  ]);
  const [session] = assemble(records) as [Session];
  expect(await backAndForth(session)).toBe(canonicalJson(session));
  const trajectory = JSON.parse(atif.render(session));
  expect(trajectory.subagent_trajectories.length).toBe(1);
  expect(JSON.stringify(trajectory.steps)).toContain(
    `"subagent_trajectory_ref":[{"trajectory_id":"${trajectory.subagent_trajectories[0].trajectory_id}"}]`,
  );
  expect(trajectory.final_metrics.total_prompt_tokens).toBe(session.totals?.input_tokens);
});

test("another reader finds the words, the calls and the results without looking into extra", async () => {
  const session = (await sessionsOf("codex")).find((one) => one.session_id === "0198-main");
  const { steps, agent } = JSON.parse(atif.render(session as Session));
  expect(agent).toMatchObject({ name: "Codex", version: "0.90.0", model_name: "gpt-5-codex" });
  const [call] = steps.filter(({ source }: { source: string }) => source === "agent");
  const { extra: _, ...told } = call;
  expect(told).toEqual({
    step_id: 4,
    timestamp: "2026-03-01T10:00:02.000Z",
    source: "agent",
    model_name: "gpt-5-codex",
    message: "I run the tests.",
    reasoning_content: "Tests first.",
    tool_calls: [
      { tool_call_id: "call_1", function_name: "shell", arguments: { command: ["npm", "test"] } },
    ],
    observation: {
      results: [
        {
          source_call_id: "call_1",
          content: expect.stringContaining("1 failed"),
          extra: { tool_result_is_error: true },
        },
      ],
    },
    metrics: {
      prompt_tokens: 1000,
      completion_tokens: 50,
      cached_tokens: 600,
      cost_usd: 0.001075,
      extra: { reasoning_tokens: 20 },
    },
    llm_call_count: 1,
  });
});

test("who reads nothing under our own name finds the same calls, tokens and failed tools", async () => {
  const usage = { input: 10, output: 5, cacheRead: 4, cacheWrite: 3, reasoning: 2 };
  const messages = [
    { role: "user", content: "List the files." },
    {
      role: "assistant",
      content: [{ type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } }],
      model: "of-our-own",
      usage,
    },
    { role: "toolResult", toolCallId: "c1", content: "no such command", isError: true },
    { role: "assistant", content: "I can't.", model: "of-our-own", usage },
  ];
  const written = await recordsOfText(
    IMPORT_FORMATS["pi"] as ImportFormat,
    [
      { type: "session", version: 3, id: "p", timestamp: "2026-03-01T10:00:00Z", cwd: "/" },
      ...messages.map((message) => ({ type: "message", message })),
    ]
      .map((entry) => JSON.stringify(entry))
      .join("\n"),
  );
  const [session] = assemble(written.records) as [Session];
  expect(session.totals).toMatchObject({ tool_calls: 1, errors: 1, cache_write_input_tokens: 6 });
  const told = JSON.parse(atif.render(session), (name, value) =>
    name === "thoughtflow" ? undefined : value,
  );
  const { records } = await recordsOfText(imported, JSON.stringify(told));
  const [again] = assemble(records) as [Session];
  expect({ ...again.totals, steps: 0 }).toEqual({ ...session.totals, steps: 0 });
});

test("texts stand once: a step's long texts are not repeated under extra", async () => {
  const long = "a text that is long enough to be worth a reference, and that stands once";
  const [session] = (await sessionsOf("pi")) as [Session];
  const text = JSON.stringify(session).replaceAll("List the files.", long);
  const rendered = atif.render(JSON.parse(text));
  const steps = JSON.parse(rendered).steps.map((step: object) => JSON.stringify(step));
  for (const step of steps) expect(step.split(long).length).toBeLessThanOrEqual(3);
});

test("the sample of seed 000, which has no agents, becomes a trajectory", () => {
  const seed = JSON.parse(seedText);
  const { schema_version, steps } = JSON.parse(atif.render(seed));
  expect(schema_version).toBe("ATIF-v1.8");
  expect(steps.map(({ step_id }: { step_id: number }) => step_id)).toEqual(
    steps.map((_: unknown, index: number) => index + 1),
  );
});

test("a sub-agent that names itself is read once", async () => {
  const inner = {
    schema_version: "ATIF-v1.8",
    trajectory_id: "loop",
    agent: { name: "loop", version: "1" },
    steps: [
      {
        step_id: 1,
        source: "agent",
        message: "Again.",
        tool_calls: [{ tool_call_id: "c", function_name: "self", arguments: {} }],
        observation: {
          results: [{ source_call_id: "c", subagent_trajectory_ref: [{ trajectory_id: "loop" }] }],
        },
      },
    ],
  };
  const looped = { ...inner, subagent_trajectories: [inner] };
  const { records } = await recordsOfText(imported, JSON.stringify(looped));
  const [session] = assemble(records) as [Session];
  // Both say the same, and are told apart by who says it.
  expect(session.agents?.map(({ name }) => name)).toEqual(["loop", "loop"]);
});

test("agents that are noted below one another in a circle are told, each once", async () => {
  const { said, answered } = transcriptLines(true);
  const agent = (agentId: string) => {
    const more = { isSidechain: true, agentId, parentUuid: null };
    const words = [{ type: "text", text: `${agentId} is done.` }];
    return said("Look.", more) + answered(`msg_${agentId}`, words, more);
  };
  const { records } = await recordsBelow(
    directoryWith({
      "s1.jsonl": said("Go") + answered("msg_1", [{ type: "text", text: "Going." }]),
      [subAgentFile("agent-a1.jsonl")]: agent("a1"),
      [subAgentFile("agent-a1.meta.json")]: JSON.stringify({ parentAgentId: "a2" }),
      [subAgentFile("agent-a2.jsonl")]: agent("a2"),
      [subAgentFile("agent-a2.meta.json")]: JSON.stringify({ parentAgentId: "a1" }),
    }),
  );
  const [session] = assemble(records) as [Session];
  const told = atif.render(session);
  for (const id of ["a1", "a2"]) expect(told.split(`"trajectory_id": "${id}"`)).toHaveLength(2);
  expect(await backAndForth(session)).toBe(canonicalJson(session));
});
