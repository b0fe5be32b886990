import { assemble } from "@thoughtflow/assemble";
import { checkSession } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { codex } from "./codex.ts";

const PROMPT = "Review one module and report its defects.";

const at = (seconds: number) => new Date(Date.UTC(2026, 6, 6, 10, 0, seconds)).toISOString();

function line(seconds: number, type: string, payload: object): string {
  return JSON.stringify({ timestamp: at(seconds), type, payload });
}

function item(seconds: number, payload: object): string {
  return line(seconds, "response_item", payload);
}

function spawn(seconds: number, call_id: string, task_name: string, message: string): string {
  const asked = JSON.stringify({ task_name, message });
  return item(seconds, { type: "function_call", name: "spawn_agent", call_id, arguments: asked });
}

function gave(seconds: number, call_id: string, path: string): string {
  const output = JSON.stringify({ task_name: path });
  return item(seconds, { type: "function_call_output", call_id, output });
}

function began(seconds: number, event_id: string, agent_thread_id: string): string {
  const type = "sub_agent_activity";
  return line(seconds, "event_msg", { type, kind: "started", event_id, agent_thread_id });
}

function answer(seconds: number, text: string): readonly string[] {
  const tokens = { input_tokens: 100, output_tokens: 10, total_tokens: seconds };
  const info = { last_token_usage: tokens, total_token_usage: tokens };
  return [
    item(seconds, {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text }],
    }),
    line(seconds, "event_msg", { type: "token_count", info }),
  ];
}

function heard(seconds: number, author: string, recipient: string, text: string): string {
  const content = [{ type: "input_text", text }];
  return item(seconds, { type: "agent_message", author, recipient, content });
}

function thread(id: string, path: string, parent: string, seconds: number, prompt: string) {
  const source = { subagent: { thread_spawn: { parent_thread_id: parent, agent_path: path } } };
  return [line(seconds, "session_meta", { id, source }), heard(seconds, "/root", path, prompt)];
}

/** Two agents that were told the same at once, the second of which began first; one that the first of them asked for. */
const ROLLOUTS: Readonly<Record<string, readonly string[]>> = {
  main: [
    line(0, "session_meta", { id: "main", source: "cli" }),
    item(1, {
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: "Review all." }],
    }),
    spawn(2, "call_1", "one", PROMPT),
    spawn(2, "call_2", "two", PROMPT),
    began(3, "call_2", "thread-two"),
    began(3, "call_1", "thread-one"),
    gave(4, "call_1", "/root/one"),
    gave(4, "call_2", "/root/two"),
    heard(20, "/root/one", "/root", "One defect."),
    ...answer(21, "There is one defect."),
  ],
  one: [
    ...thread("thread-one", "/root/one", "main", 5, PROMPT),
    spawn(6, "call_3", "deep", "Look deeper."),
    gave(7, "call_3", "/root/one/deep"),
    ...answer(12, "One defect."),
  ],
  two: [...thread("thread-two", "/root/two", "main", 4, PROMPT), ...answer(11, "No defect.")],
  deep: [
    ...thread("thread-deep", "/root/one/deep", "thread-one", 8, "Look deeper."),
    ...answer(9, "Deep."),
  ],
};

async function imported() {
  const files = Object.entries(ROLLOUTS).map(([name, lines]) =>
    sourceText(lines.join("\n"), `rollout-${name}.jsonl`),
  );
  const { records, warnings } = await recordsOf(codex, files);
  const [session] = assemble(records);
  if (session === undefined) throw new Error("no session");
  return { session, warnings };
}

test("agents that were told the same are those of their own calls, by the events or by the path that a call gave", async () => {
  const { session, warnings } = await imported();
  expect(warnings.filter((one) => one.startsWith("main:"))).toEqual([]);
  expect(session.conversations).toHaveLength(1);
  const steps = session.conversations.flatMap((run) => run.steps);
  const byId = new Map(steps.map((step) => [step.step_id, step]));
  const spawns = steps
    .filter(({ label }) => label === "agent")
    .map((agent) => {
      const [spawned] = agent.edges?.filter(({ type }) => type === "subagent_spawn") ?? [];
      return [
        agent.agent_id,
        byId.get(spawned?.to ?? "")?.payload_started?.["call_id"],
        spawned?.origin,
      ];
    });
  expect(spawns).toEqual([
    ["thread-two", "call_2", "observed"],
    ["thread-one", "call_1", "observed"],
    ["thread-deep", "call_3", "observed"],
  ]);
});

test("each agent's call rests on what that agent was told", async () => {
  const { session } = await imported();
  const steps = session.conversations.flatMap((run) => run.steps);
  const byId = new Map(steps.map((step) => [step.step_id, step]));
  const told = steps
    .filter(({ label }) => label === "assistant_call")
    .flatMap(({ agent_id, edges = [] }) =>
      edges
        .filter(({ type }) => type === "responds_to")
        .map(({ to }) => [
          agent_id,
          byId.get(to)?.agent_id,
          byId.get(to)?.payload_started?.["text"],
        ]),
    );
  expect(told.filter(([agent]) => String(agent).startsWith("thread-"))).toEqual([
    ["thread-two", "thread-two", PROMPT],
    ["thread-one", "thread-one", PROMPT],
    ["thread-deep", "thread-deep", "Look deeper."],
  ]);
});

test("what an agent reported is what the other one's next call was given, and no answer of its model", async () => {
  const { session } = await imported();
  const steps = session.conversations.flatMap((run) => run.steps);
  const reports = steps.filter(
    ({ payload_started }) => payload_started?.["text"] === "One defect.",
  );
  expect(reports.map(({ label }) => label)).toEqual(["user_message"]);
});

test("what agents say to each other is a hand-over: from the call that sent it, from the agent that reported", async () => {
  const told = (seconds: number, text: string) =>
    item(seconds, { type: "message", role: "user", content: [{ type: "input_text", text }] });
  const sends = (seconds: number, call_id: string, name: string, args: object) =>
    item(seconds, { type: "function_call", name, call_id, arguments: JSON.stringify(args) });
  const notification = JSON.stringify({ agent_path: "thread-two", status: { completed: "No." } });
  const files = {
    ...ROLLOUTS,
    main: [
      ...(ROLLOUTS["main"] ?? []),
      sends(22, "call_4", "send_input", { target: "thread-two", message: "Look again, please." }),
      sends(22, "call_5", "send_message", { target: "one", message: "Thank you." }),
      ...answer(23, "I ask again."),
      told(30, `<subagent_notification>\n${notification}\n</subagent_notification>`),
      ...answer(31, "None."),
    ],
    one: [
      ...(ROLLOUTS["one"] ?? []),
      heard(24, "/root", "/root/one", "Payload:\nThank you."),
      ...answer(25, "Bye."),
    ],
    two: [...(ROLLOUTS["two"] ?? []), told(24, "Look again, please."), ...answer(28, "No.")],
  };
  const sources = Object.entries(files).map(([name, lines]) =>
    sourceText(lines.join("\n"), `rollout-${name}.jsonl`),
  );
  const { records } = await recordsOf(codex, sources);
  const sessions = assemble(records);
  for (const session of sessions) expect(checkSession(session)).toEqual([]);
  const steps = sessions.flatMap(({ conversations }) => conversations.flatMap((run) => run.steps));
  const byId = new Map(steps.map((step) => [step.step_id, step]));
  const handed = steps.flatMap(({ edges = [], agent_id, payload_completed }) =>
    edges.flatMap(({ type, to, origin }) => {
      const from = byId.get(to);
      const sender = from?.payload_started?.["call_id"] ?? from?.agent_id;
      return type === "handoff" ? [[sender, agent_id, payload_completed?.["text"], origin]] : [];
    }),
  );
  const main = byId.get(steps[1]?.step_id ?? "")?.agent_id;
  expect(handed.toSorted()).toEqual([
    ["call_4", "thread-two", "No.", "observed"],
    ["call_5", "thread-one", "Bye.", "observed"],
    ["thread-one", main, "There is one defect.", "observed"],
    ["thread-two", main, "None.", "observed"],
  ]);
});

test.each([
  ["alone", false],
  ["beside a notification", true],
])(
  "what a wait tells of an agent that is done, %s, is a hand-over to the call that is given it",
  async (_, isNotified) => {
    const waits = JSON.stringify({ ids: ["thread-two", "thread-one"] });
    const status = { "thread-two": { completed: "No defect." }, "thread-one": "running" };
    const notification = JSON.stringify({
      agent_path: "thread-two",
      status: { completed: "No defect." },
    });
    const text = `<subagent_notification>\n${notification}\n</subagent_notification>`;
    const lines = [
      ...(ROLLOUTS["main"] ?? []),
      item(22, { type: "function_call", name: "wait", call_id: "call_4", arguments: waits }),
      item(30, {
        type: "function_call_output",
        call_id: "call_4",
        output: JSON.stringify({ status, timed_out: false }),
      }),
      ...(isNotified
        ? [item(30, { type: "message", role: "user", content: [{ type: "input_text", text }] })]
        : []),
      ...answer(31, "Two found none."),
    ];
    const two = [...(ROLLOUTS["two"] ?? []), ...answer(28, "No defect.")];
    const sources = Object.entries({ ...ROLLOUTS, main: lines, two }).map(([name, all]) =>
      sourceText(all.join("\n"), `rollout-${name}.jsonl`),
    );
    const { records } = await recordsOf(codex, sources);
    const steps = assemble(records).flatMap(({ conversations }) =>
      conversations.flatMap((run) => run.steps),
    );
    const byId = new Map(steps.map((step) => [step.step_id, step]));
    const given = steps.find(
      ({ label, payload_completed }) =>
        label === "assistant_call" && payload_completed?.["text"] === "Two found none.",
    );
    const handed = given?.edges?.filter(({ type }) => type === "handoff") ?? [];
    expect(
      handed.map(({ to, origin }) => [byId.get(to)?.payload_completed?.["text"], origin]),
    ).toEqual([["No defect.", "observed"]]);
  },
);

test("a run whose last tool call nobody answered is abandoned: the program was killed", async () => {
  const call = (seconds: number) =>
    item(seconds, {
      type: "function_call",
      name: "shell",
      call_id: `c${seconds}`,
      arguments: "{}",
    });
  const asked = (seconds: number, text: string) =>
    item(seconds, { type: "message", role: "user", content: [{ type: "input_text", text }] });
  const lines = [
    line(0, "session_meta", { id: "main", source: "cli" }),
    asked(1, "Look."),
    call(2),
    asked(5, "Go on."),
    ...answer(6, "Done."),
  ];
  const { records } = await recordsOf(codex, [sourceText(lines.join("\n"), "main.jsonl")]);
  const [session] = assemble(records);
  expect(session?.conversations.map(({ status }) => status)).toEqual(["abandoned", "completed"]);
});

const said = (seconds: number, text: string) =>
  item(seconds, { type: "message", role: "user", content: [{ type: "input_text", text }] });

/** The calls that continue one of another session, each as its session and its place in it. */
async function continued(files: Readonly<Record<string, readonly string[]>>) {
  const { records, warnings } = await recordsOf(
    codex,
    Object.entries(files).map(([name, lines]) => sourceText(lines.join("\n"), `${name}.jsonl`)),
  );
  const calls = assemble(records).flatMap(({ session_id, conversations }) =>
    conversations
      .flatMap(({ steps }) => steps)
      .filter(({ label }) => label === "assistant_call")
      .map(({ step_id, edges = [] }, nth) => ({ name: `${session_id} ${nth}`, step_id, edges })),
  );
  const nameOf = (id: string) => calls.find(({ step_id }) => id.endsWith(`/${step_id}`))?.name;
  const pairs = calls.flatMap(({ name, edges }) =>
    edges.flatMap(({ type, to }) => (type === "continues" ? [[name, nameOf(to)]] : [])),
  );
  return { pairs, warnings };
}

const TOLD_ALIKE = [
  line(0, "session_meta", { id: "old", source: "cli" }),
  said(1, "First."),
  ...answer(2, "Done."),
  said(3, "Second."),
  ...answer(4, "Done."),
  said(5, "Third."),
  ...answer(6, "Third done."),
];

/** A copy bears the times of the copying. */
const copied = (lines: readonly string[], seconds: number) =>
  lines.map((one) => JSON.stringify({ ...JSON.parse(one), timestamp: at(seconds) }));

test("a fork continues the call that was copied last, in whatever order the files come", async () => {
  const fork = [
    line(30, "session_meta", { id: "fork", forked_from_id: "old" }),
    ...copied(TOLD_ALIKE.slice(0, 7), 30),
    said(40, "Another way."),
    ...answer(41, "Went another way."),
    said(42, "And on."),
    ...answer(43, "Went on."),
  ];
  const again = [
    line(50, "session_meta", { id: "again", forked_from_id: "fork" }),
    ...copied(fork.slice(0, -3), 50),
    said(60, "Third way."),
    ...answer(61, "Went a third way."),
  ];
  const files = { again, fork, old: TOLD_ALIKE };
  const { pairs, warnings } = await continued(files);
  expect(pairs).toEqual([
    ["again 0", "fork 0"],
    ["fork 0", "old 1"],
  ]);
  expect(warnings.filter((one) => one.includes("fork"))).toEqual([]);
});

test("a fork of a thread that is not here says so, and continues nothing", async () => {
  const { pairs, warnings } = await continued({
    fork: [
      line(30, "session_meta", { id: "fork", forked_from_id: "gone" }),
      ...copied(TOLD_ALIKE.slice(0, 7), 30),
      said(40, "Another way."),
      ...answer(41, "Went another way."),
    ],
  });
  expect(pairs).toEqual([]);
  expect(warnings.join("\n")).toContain("1 × tie of a fork to a thread that is not here");
});

const user = (seconds: number, text: string) =>
  item(seconds, { type: "message", role: "user", content: [{ type: "input_text", text }] });
const assistant = (seconds: number, text: string) =>
  item(seconds, { type: "message", role: "assistant", content: [{ type: "output_text", text }] });

test("what a reviewer found is no answer of the model that is told of it, and the reviewer is asked for the review", async () => {
  const files = {
    main: [
      line(0, "session_meta", { id: "main", source: "cli" }),
      user(1, "Begin."),
      ...answer(2, "Begun."),
      user(
        9,
        "<user_action>\n<action>review</action>\n<results>One defect.</results>\n</user_action>",
      ),
      assistant(9, "One defect."),
      user(12, "Mend it."),
      ...answer(13, "Mended."),
    ],
    reviewer: [
      line(5, "session_meta", {
        id: "reviewer",
        parent_thread_id: "main",
        source: { subagent: "review" },
      }),
      user(5, "<environment_context>\n<cwd>/project</cwd>\n</environment_context>"),
      user(5, "Review the changes."),
      ...answer(8, "One defect."),
    ],
  };
  const { records } = await recordsOf(
    codex,
    Object.entries(files).map(([name, lines]) => sourceText(lines.join("\n"), `${name}.jsonl`)),
  );
  const [session, ...others] = assemble(records);
  expect(others).toEqual([]);
  expect(session?.totals).toMatchObject({ model_calls: 3, input_tokens: 300 });
  const steps = session?.conversations.flatMap((run) => run.steps) ?? [];
  const asked = steps.find(
    ({ label, agent_id }) => label === "user_message" && agent_id === "reviewer",
  );
  expect(asked?.payload_started?.["text"]).toBe("Review the changes.");
  const mended = steps.findLast(({ label }) => label === "assistant_call");
  const asking = steps.find(({ payload_started: told }) => told?.["text"] === "Mend it.");
  expect(mended?.depends_on).toContain(asking?.step_id);
  expect(steps.filter(({ label }) => label === "assistant_message").length).toBe(4);
});

test("a fork whose own first line can't be read is another thread than the one that it was made of", async () => {
  const [old, fork] = [2, 40].map((second) => {
    const ms = Date.UTC(2026, 6, 6, 10, 0, second).toString(16).padStart(12, "0");
    return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`;
  }) as [string, string];
  const asked = [
    line(2, "session_meta", { id: old, source: "cli" }),
    said(3, "First."),
    ...answer(4, "Done."),
    spawn(5, "c1", "count", PROMPT),
    ...answer(6, "Asked."),
    began(7, "c1", "child"),
    gave(8, "c1", "/root/count"),
    said(9, "Second."),
    ...answer(10, "Done, too."),
  ];
  const forked = [
    '{"timestamp":"2026-07-06T10:00:40.000Z","type":"session_me',
    ...copied(asked, 40),
    said(50, "Another way."),
    ...answer(51, "Went another way."),
  ];
  const files = {
    [`rollout-2026-07-06T10-00-02-${old}`]: asked,
    [`rollout-2026-07-06T10-00-40-${fork}`]: forked,
    child: [...thread("child", "/root/count", old, 6, PROMPT), ...answer(7, "Counted.")],
  };
  const { records } = await recordsOf(
    codex,
    Object.entries(files)
      .toReversed()
      .map(([name, lines]) => sourceText(`${lines.join("\n")}\n`, `${name}.jsonl`)),
  );
  const sessions = assemble(records).map(({ session_id, agents = [], totals }) => [
    session_id,
    agents.length,
    totals?.model_calls,
  ]);
  expect(new Map(sessions.map(([id, ...rest]) => [id, rest]))).toEqual(
    new Map([
      [old, [2, 4]],
      [fork, [1, 1]],
    ]),
  );
});
