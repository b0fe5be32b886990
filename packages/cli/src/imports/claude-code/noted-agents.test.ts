import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { directoryWith } from "../../../testing/flow-directory.ts";
import { recordsBelow, subAgentFile, transcriptLines } from "../../../testing/transcript-lines.ts";

const { said, answered } = transcriptLines(true);
const agent = (agentId: string, prompt: string) => {
  const more = { isSidechain: true, agentId, parentUuid: null };
  return said(prompt, more) + answered(`msg_${agentId}`, [{ type: "text", text: "Done." }], more);
};
const task = (id: string, prompt: string) => ({
  type: "tool_use",
  id,
  name: "Agent",
  input: { subagent_type: id, prompt },
});

/** Which call asked for which agent, as all files below a directory tell it. */
async function importOf(dir: string) {
  const { records, warnings } = await recordsBelow(dir);
  const [session] = assemble(records);
  const steps = session?.conversations.flatMap((run) => run.steps) ?? [];
  const spawns = (session?.agents ?? []).flatMap(({ agent_id, spawned_by, origin }) => {
    const asking = steps.find(({ step_id }) => spawned_by?.endsWith(`/${step_id}`));
    return asking === undefined ? [] : [[agent_id, asking.payload_started?.["call_id"], origin]];
  });
  return { session, spawns, warnings };
}

test("an agent belongs to the call that is noted beside its file, whatever it was told", async () => {
  const dir = directoryWith({
    "s1.jsonl":
      said("Go") +
      answered("msg_1", [task("t1", "Look for bugs."), task("t2", "Count the files.")]),
    [subAgentFile("agent-a1.jsonl")]: agent("a1", "Count the files."),
    [subAgentFile("agent-a1.meta.json")]: JSON.stringify({ agentType: "Explore", toolUseId: "t1" }),
    [subAgentFile("agent-a2.jsonl")]: agent("a2", "Words that the program made itself."),
    [subAgentFile("agent-a2.meta.json")]: JSON.stringify({ agentType: "Explore", toolUseId: "t2" }),
  });
  const { spawns, warnings } = await importOf(dir);
  expect(spawns).toEqual([
    ["a1", "t1", "observed"],
    ["a2", "t2", "observed"],
  ]);
  expect(warnings.filter((warning) => warning.includes("asked"))).toEqual([]);
});

test("an agent whose call is not there is below the agent that is noted beside its file", async () => {
  const noted = (depth: number, parentAgentId: string | null) =>
    JSON.stringify({ agentType: "Explore", toolUseId: "gone", spawnDepth: depth, parentAgentId });
  const dir = directoryWith({
    "s1.jsonl": said("Go") + answered("msg_1", [{ type: "text", text: "Going." }]),
    [subAgentFile("agent-a1.jsonl")]: agent("a1", "Look for bugs."),
    [subAgentFile("agent-a1.meta.json")]: noted(1, null),
    [subAgentFile("agent-a2.jsonl")]: agent("a2", "Count the files."),
    [subAgentFile("agent-a2.meta.json")]: noted(2, "a1"),
    [subAgentFile("agent-a3.jsonl")]: agent("a3", "Warmup"),
  });
  const { session, warnings } = await importOf(dir);
  const [main] = session?.agents ?? [];
  expect(
    session?.agents?.map(({ agent_id, parent_agent_id }) => [agent_id, parent_agent_id]),
  ).toEqual([
    [main?.agent_id, undefined],
    ["a1", main?.agent_id],
    ["a2", "a1"],
    // Of its session alone: nothing tells that the main agent asked for it.
    ["a3", undefined],
  ]);
  expect(session?.conversations.map(({ trigger }) => trigger)).toEqual(["user_message", "agent"]);
  expect(warnings.join("\n")).toContain("No tool call asked for 3 agents");
});

const told = (from: string, words: string) =>
  `<teammate-message teammate_id="${from}" summary="s">\n${words}\n</teammate-message>`;
const member = (id: string, name: string, prompt: string) => {
  const call = task(id, prompt);
  return { ...call, input: { ...call.input, name, team_name: "crew" } };
};
const spawned = (id: string, name?: string) =>
  said([{ type: "tool_result", tool_use_id: id, content: "Spawned successfully." }], {
    toolUseResult: {
      status: "teammate_spawned",
      ...(name && { agent_id: `${name}@crew`, teammate_id: `${name}@crew`, team_name: "crew" }),
    },
  });
const notedMember = (name: string) =>
  JSON.stringify({ agentType: name, name, taskKind: "in_process_teammate", teamName: "crew" });

test("a run lasts as long as the sub-agents in it, whichever command for the program stands last", async () => {
  const dir = directoryWith({
    "s1.jsonl":
      said("Go") +
      answered("msg_1", [task("t1", "Look for bugs.")]) +
      said("<command-name>/exit</command-name>"),
    [subAgentFile("agent-a1.jsonl")]: agent("a1", "Look for bugs."),
  });
  const { session } = await importOf(dir);
  const [run] = session?.conversations ?? [];
  expect(session?.conversations).toHaveLength(1);
  expect(run?.ended_at).toBe(session?.agents?.find(({ agent_id }) => agent_id === "a1")?.ended_at);
});

test("members of a team belong to the calls that asked for them, and what they report is nobody's turn", async () => {
  const [first, second] = ["Look for bugs.", "Count the files."];
  const dir = directoryWith({
    "s1.jsonl":
      said("Go") +
      answered("msg_1", [member("t1", "bugs", first), member("t2", "files", second)]) +
      spawned("t1", "bugs") +
      spawned("t2") +
      answered("msg_2", [{ type: "text", text: "I wait." }]) +
      said(told("bugs", "None.")) +
      answered("msg_3", [{ type: "text", text: "No bugs." }]) +
      said(`Another Claude session sent a message:\n${told("files", "Nine.")}`) +
      answered("msg_4", [{ type: "text", text: "Nine files." }]),
    [subAgentFile("agent-abugs-68a2a1661c9390c1.jsonl")]: agent("abugs-68a2a1661c9390c1", "Begin."),
    [subAgentFile("agent-abugs-68a2a1661c9390c1.meta.json")]: notedMember("bugs"),
    [subAgentFile("agent-afiles-0123456789abcdef.jsonl")]: agent(
      "afiles-0123456789abcdef",
      told("team-lead", second),
    ),
  });
  const { session, spawns, warnings } = await importOf(dir);
  expect(spawns).toEqual([
    ["abugs-68a2a1661c9390c1", "t1", "observed"],
    ["afiles-0123456789abcdef", "t2", "inferred"],
  ]);
  expect(session?.agents?.slice(1).map(({ name }) => name)).toEqual(["bugs", "files"]);
  expect(session?.conversations.map(({ trigger }) => trigger)).toEqual([
    "user_message",
    "event",
    "event",
  ]);
  expect(warnings.filter((warning) => warning.includes("asked"))).toEqual([]);
});

test("a member of a team of which the call names the file is that, whatever the member is called", async () => {
  const result = (id: string, name: string, file: string) =>
    said([{ type: "tool_result", tool_use_id: id, content: "Spawned successfully." }], {
      toolUseResult: { agentId: file, agent_id: file, teammate_id: `${name}@crew`, name },
    });
  const dir = directoryWith({
    "s1.jsonl":
      said("Go") +
      answered("msg_1", [member("t1", "bugs", "Look."), member("t2", "files", "Look.")]) +
      result("t1", "bugs", "abugs-1") +
      result("t2", "files", "afiles-1"),
    [subAgentFile("agent-abugs-1.jsonl")]: agent("abugs-1", told("team-lead", "Look.")),
    [subAgentFile("agent-abugs-1.meta.json")]: notedMember("bugs"),
    [subAgentFile("agent-afiles-1.jsonl")]: agent("afiles-1", told("team-lead", "Look.")),
    [subAgentFile("agent-afiles-1.meta.json")]: notedMember("files"),
  });
  const { spawns, warnings } = await importOf(dir);
  expect(spawns).toEqual([
    ["abugs-1", "t1", "observed"],
    ["afiles-1", "t2", "observed"],
  ]);
  expect(warnings.filter((warning) => warning.includes("asked"))).toEqual([]);
});

test("of agents that are members under one name each belongs to the call that told it what to do, else to the latest before it", async () => {
  const dir = directoryWith({
    "s1.jsonl":
      said("Go") +
      answered("msg_1", [member("t1", "bugs", "Look for bugs.")]) +
      spawned("t1", "bugs") +
      answered("msg_2", [member("t2", "bugs", "Look again.")]) +
      spawned("t2", "bugs") +
      answered("msg_3", [member("t3", "bugs", "Look for the last time.")]) +
      spawned("t3", "bugs"),
    [subAgentFile("agent-abugs-1.jsonl")]: agent("abugs-1", "Begin."),
    [subAgentFile("agent-abugs-1.meta.json")]: notedMember("bugs"),
    [subAgentFile("agent-abugs-2.jsonl")]: agent("abugs-2", told("team-lead", "Look for bugs.")),
    [subAgentFile("agent-abugs-2.meta.json")]: notedMember("bugs"),
    [subAgentFile("agent-abugs-3.jsonl")]: agent("abugs-3", told("team-lead", "Look again.")),
    [subAgentFile("agent-abugs-3.meta.json")]: notedMember("bugs"),
  });
  const { spawns, warnings } = await importOf(dir);
  expect(spawns).toEqual([
    ["abugs-1", "t3", "inferred"],
    ["abugs-2", "t1", "observed"],
    ["abugs-3", "t2", "observed"],
  ]);
  expect(warnings.filter((warning) => warning.includes("asked"))).toEqual([]);
});
