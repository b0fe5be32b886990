import { assemble } from "@thoughtflow/assemble";
import { workflowOfSessions } from "@thoughtflow/workflow/document";
import { expect, test } from "vitest";
import { directoryWith } from "../../../testing/flow-directory.ts";
import { recordsBelow, subAgentFile, transcriptLines } from "../../../testing/transcript-lines.ts";

const { line, said, answered } = transcriptLines(false);
const text = (words: string) => [{ type: "text", text: words }];
const call = (id: string, name: string, input: object) => [{ type: "tool_use", id, name, input }];
const gave = (id: string, content: unknown, more: object = {}) =>
  said([{ type: "tool_result", tool_use_id: id, content }], more);
const inAgent = (agentId: string) => ({ isSidechain: true, agentId });

async function sessionsOf(files: Record<string, string>) {
  const { records, warnings } = await recordsBelow(directoryWith(files));
  return { sessions: assemble(records), warnings };
}

/** What was handed over: the words of the answer that was given it, what it rests on there, and how sure that is. */
async function handedIn(files: Record<string, string>) {
  const { sessions, warnings } = await sessionsOf(files);
  const steps = sessions.flatMap(({ conversations }) =>
    conversations.flatMap((run) =>
      run.steps.map((step) => ({ ...step, name: `${run.trace_id}/${step.step_id}` })),
    ),
  );
  const handed = steps.flatMap(({ edges = [], payload_completed }) =>
    edges.flatMap(({ to, type, origin, confidence }) => {
      if (type !== "handoff") return [];
      const from = steps.find((one) => one.name === to || one.step_id === to);
      const { call_id, name } = from?.payload_started ?? {};
      return [[payload_completed?.["text"], call_id ?? name ?? to, origin, confidence]];
    }),
  );
  const { edges } = workflowOfSessions(sessions, {
    extractionTimestamp: "",
    inferred: false,
  }).workflow_dag;
  return { sessions, handed, edges, warnings };
}

const team = (from: string, words: string) =>
  `<teammate-message teammate_id="${from}" summary="a > b">\n${words}\n</teammate-message>`;
const agentCall = (id: string, name: string, prompt: string) =>
  call(id, "Agent", { subagent_type: "general-purpose", name, prompt });

test("what agents of a session write to each other is a hand-over from the call that sent it", async () => {
  const files = {
    "s1.jsonl":
      said("Go") +
      answered("msg_1", [
        ...agentCall("t1", "bugs", "Look for bugs."),
        ...agentCall("t2", "files", "Count the files."),
      ]) +
      gave("t1", "Spawned.", { toolUseResult: { agentId: "a1" } }) +
      gave("t2", "Spawned.", { toolUseResult: { agentId: "a2" } }) +
      answered(
        "msg_2",
        call("m1", "SendMessage", { to: "bugs", message: "Look in the tests, too." }),
      ) +
      gave("m1", "Sent.") +
      answered("msg_3", text("I wait.")),
    [subAgentFile("agent-a1.jsonl")]:
      said(team("team-lead", "Look for bugs."), inAgent("a1")) +
      answered("msg_4", text("Looking."), inAgent("a1")) +
      said(team("team-lead", "Look in the tests, too."), inAgent("a1")) +
      answered(
        "msg_5",
        call("m2", "SendMessage", { to: "team-lead", message: "There is one bug." }),
        inAgent("a1"),
      ) +
      gave("m2", "Sent.", inAgent("a1")) +
      answered(
        "msg_6",
        call("m3", "SendMessage", { to: "files", message: "Count the tests, please." }),
        inAgent("a1"),
      ) +
      gave("m3", "Sent.", inAgent("a1")),
    [subAgentFile("agent-a2.jsonl")]:
      said(team("team-lead", "Count the files."), inAgent("a2")) +
      answered("msg_7", text("Nine."), inAgent("a2")) +
      said(team("bugs", "Count the tests, please."), inAgent("a2")) +
      answered("msg_8", text("Three tests."), inAgent("a2")),
  };
  const main =
    said(`Another Claude session sent a message:\n${team("bugs", "There is one bug.")}`) +
    answered("msg_9", text("One bug."));
  const { handed, edges, sessions } = await handedIn({
    ...files,
    "s1.jsonl": files["s1.jsonl"] + main,
  });
  expect(handed).toEqual([
    [undefined, "m1", "inferred", 0.95],
    ["Three tests.", "m3", "inferred", 0.95],
    ["One bug.", "m2", "inferred", 0.95],
  ]);
  const agents = sessions[0]?.agents ?? [];
  expect(agents.map(({ parent_agent_id }) => parent_agent_id)).toEqual([
    undefined,
    agents[0]?.agent_id,
    agents[0]?.agent_id,
  ]);
  expect(
    edges.flatMap(({ type, source_agent_id, target_agent_id, source_request_id }) =>
      type === "handoff"
        ? [[source_agent_id, target_agent_id, source_request_id !== undefined]]
        : [],
    ),
  ).toEqual([
    [agents[0]?.agent_id, "a1", true],
    ["a1", "a2", true],
    ["a1", agents[0]?.agent_id, true],
  ]);
});

test("a message that has an id, and a report of the agent that is named by its id, are known by that", async () => {
  const peer = { kind: "peer", from: "a1", name: "bugs", msg_id: "7f0c", body: "Yes." };
  const { handed, sessions } = await handedIn({
    "s1.jsonl":
      said("Go") +
      answered("msg_1", agentCall("t1", "bugs", "Look for bugs.")) +
      gave("t1", "Launched.", { toolUseResult: { isAsync: true, agentId: "a1" } }) +
      answered("msg_2", text("I wait.")) +
      said("Another Claude session sent a message:\nYes.", { isMeta: true, origin: peer }) +
      answered("msg_3", text("Yes, then.")) +
      said(
        '<agent-message from="a1">\n[Subagent hand-back] The text below is a report. The report follows:\n  No bugs,\n  [harness: neutralized]\n</agent-message>',
      ) +
      answered("msg_4", text("No bugs.")) +
      said(
        "<task-notification>\n<task-id>a1</task-id>\n<tool-use-id>t1</tool-use-id>\n<status>completed</status>\n</task-notification>",
      ) +
      answered("msg_5", text("It is done.")),
    [subAgentFile("agent-a1.jsonl")]:
      line({
        type: "user",
        timestamp: "2026-09-01T00:00:00.000Z",
        message: { role: "user", content: "Look for bugs." },
        ...inAgent("a1"),
      }) +
      line({
        type: "assistant",
        timestamp: "2026-09-01T00:00:01.000Z",
        message: {
          id: "msg_6",
          role: "assistant",
          model: "m",
          content: call("m1", "SendMessage", { to: "main", message: "Yes." }),
        },
        ...inAgent("a1"),
      }) +
      line({
        type: "user",
        timestamp: "2026-09-01T00:00:02.000Z",
        message: {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "m1",
              content: [{ type: "text", text: '{"success":true,"msg_id":"7f0c"}' }],
            },
          ],
        },
        ...inAgent("a1"),
      }) +
      line({
        type: "assistant",
        timestamp: "2026-09-01T00:00:03.000Z",
        message: {
          id: "msg_7",
          role: "assistant",
          model: "m",
          content: call("m2", "SubagentHandback", { message: "No bugs, at all." }),
        },
        ...inAgent("a1"),
      }),
  });
  expect(handed).toEqual([
    ["Yes, then.", "m1", "observed", undefined],
    ["No bugs.", "m2", "observed", undefined],
    ["It is done.", "bugs", "observed", undefined],
  ]);
  expect(sessions[0]?.conversations.map(({ trigger }) => trigger)).toEqual([
    "user_message",
    "event",
    "event",
    "event",
  ]);
});

test("what the asking agent says to one that works, and what waits in its mailbox, is given to the next call", async () => {
  const { handed } = await handedIn({
    "s1.jsonl":
      said("Go") +
      answered("msg_1", agentCall("t1", "bugs", "Look for bugs.")) +
      gave("t1", "Launched.", { toolUseResult: { isAsync: true, agentId: "a1" } }) +
      answered("msg_2", call("m1", "SendMessage", { to: "a1", message: "Look again, please." })) +
      gave("m1", "Resumed.", { toolUseResult: { success: true, resumedAgentId: "a1" } }) +
      answered("msg_3", call("m2", "SendMessage", { to: "bugs", message: "And in the docs." })) +
      gave("m2", "Sent."),
    [subAgentFile("agent-a1.jsonl")]:
      said("Look for bugs.", inAgent("a1")) +
      answered("msg_4", text("None."), inAgent("a1")) +
      said(
        "The coordinator sent a message while you were working:\nLook again, please.\n\nAddress this before completing your current task.",
        {
          ...inAgent("a1"),
          isMeta: true,
          origin: { kind: "coordinator" },
        },
      ) +
      answered("msg_5", text("One."), inAgent("a1")) +
      line({
        type: "attachment",
        attachment: {
          type: "teammate_mailbox",
          messages: [{ from: "team-lead", text: "And in the docs." }],
        },
        ...inAgent("a1"),
      }) +
      answered("msg_6", text("Two."), inAgent("a1")),
  });
  expect(handed).toEqual([
    ["One.", "m1", "inferred", 0.95],
    ["Two.", "m2", "inferred", 0.95],
  ]);
});

test("a member of a team that works in a terminal of its own rests on the call that asked for it, and they write to each other", async () => {
  const member = (record: string, session = "s2", agentName = "bugs") =>
    record
      .trimEnd()
      .split("\n")
      .map((one) =>
        JSON.stringify({ ...JSON.parse(one), sessionId: session, teamName: "crew", agentName }),
      )
      .join("\n");
  const lead = [
    said("Go"),
    answered("msg_1", [
      {
        type: "tool_use",
        id: "t1",
        name: "Agent",
        input: { name: "bugs", team_name: "crew", prompt: "Look for bugs." },
      },
    ]),
    gave("t1", "Spawned.", {
      toolUseResult: { status: "teammate_spawned", agent_id: "bugs@crew", team_name: "crew" },
    }),
    answered("msg_2", text("I wait.")),
  ];
  const own = [
    member(said(team("team-lead", "Look for bugs."))),
    member(
      answered(
        "msg_3",
        call("m1", "SendMessage", { to: "team-lead", message: "There is one bug." }),
      ),
    ),
    member(gave("m1", "Sent.")),
    member(answered("msg_4", text("Done."))),
  ];
  const rest = [
    said(team("bugs", "There is one bug.")),
    answered("msg_5", call("m2", "SendMessage", { to: "bugs", message: "Mend it, please." })),
    gave("m2", "Sent."),
    member(said(team("team-lead", "Mend it, please."))),
    member(answered("msg_6", text("It is mended."))),
  ];
  const { sessions, handed, edges, warnings } = await handedIn({
    "s1.jsonl": [...lead, ...rest.slice(0, 3)].join(""),
    "s2.jsonl": [...own, ...rest.slice(3)].join("\n"),
  });
  const [first, second] = sessions;
  expect(second?.tags).toEqual(["team:crew"]);
  expect(second?.agents?.map(({ name }) => name)).toEqual(["bugs"]);
  const task = first?.conversations[0]?.steps.find(
    ({ payload_started }) => payload_started?.["call_id"] === "t1",
  );
  // Named there by the id of its session, and asked for once in both.
  expect(first?.agents?.slice(1)).toMatchObject([
    {
      agent_id: "s2",
      name: "bugs",
      parent_agent_id: first?.agents?.[0]?.agent_id,
      spawned_by: `${first?.conversations[0]?.run_id}/${task?.step_id}`,
      totals: { model_calls: 0 },
    },
  ]);
  expect(second?.agents?.[0]).toMatchObject({
    spawned_by: `${first?.conversations[0]?.trace_id}/${task?.step_id}`,
    origin: "observed",
  });
  expect(handed).toEqual([
    [undefined, "m1", "inferred", 0.95],
    ["It is mended.", "m2", "inferred", 0.95],
  ]);
  const [leadId, memberId] = sessions.map(({ agents }) => agents?.[0]?.agent_id);
  expect(
    edges.flatMap(({ type, source_agent_id, target_agent_id }) =>
      type === "tool_result" ? [] : [[type, source_agent_id, target_agent_id]],
    ),
  ).toEqual([
    ["handoff", memberId, leadId],
    ["subagent_spawn", leadId, memberId],
    ["handoff", leadId, memberId],
  ]);
  expect(warnings.filter((warning) => warning.includes("asked"))).toEqual([]);
});

test("what is said at a time that was set, and what the program itself begins a turn with, is a run of its own", async () => {
  const { sessions } = await sessionsOf({
    "s1.jsonl":
      said("Go", { turnOrigin: "human" }) +
      answered("msg_1", text("Gone.")) +
      said("Watch it.", { isMeta: true, promptSource: "system", turnOrigin: "scheduled" }) +
      answered("msg_2", text("Watched.")) +
      said("Base directory for this skill: /x", { isMeta: true, turnOrigin: "human" }) +
      answered("msg_3", text("I know it.")) +
      said("[Cross-session idle notice] It waits.", { isMeta: true, turnOrigin: "system" }) +
      answered("msg_4", text("So be it.")),
  });
  expect(sessions[0]?.conversations.map(({ trigger }) => trigger)).toEqual([
    "user_message",
    "event",
    "event",
  ]);
});
