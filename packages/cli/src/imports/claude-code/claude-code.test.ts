import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { checkSession, type Session } from "@thoughtflow/schema";
import { ATTR_SESSION_ID, ATTR_THOUGHTFLOW_SESSION_TITLE } from "@thoughtflow/semconv";
import { expect, test } from "vitest";
import { recordsOf, recordsOfText } from "../../../testing/imported-records.ts";
import { ImportProblem } from "../import-format.ts";
import { filesBelow, sourceFile, sourceText } from "../source-file.ts";
import { claudeCode } from "./claude-code.ts";

const fixtures = fileURLToPath(new URL("../../../fixtures/", import.meta.url));

async function sessionsOf(...paths: readonly string[]) {
  const files = paths.map((path) => sourceFile(join(fixtures, path), path));
  const { records, warnings } = await recordsOf(claudeCode, files);
  const sessions = assemble(records);
  for (const session of sessions) expect(checkSession(session)).toEqual([]);
  return { sessions, warnings };
}

async function sessionOf(...paths: readonly string[]): Promise<Session> {
  const { sessions } = await sessionsOf(...paths);
  expect(sessions.length).toBe(1);
  return sessions[0] as Session;
}

function stepsOf({ conversations }: Session) {
  return conversations.flatMap(({ steps }) => steps);
}

const agentsOf = ({ agents = [] }: Session) =>
  agents.map(({ name, parent_agent_id: parent, origin }) => ({
    name,
    parent: agents.find(({ agent_id }) => agent_id === parent)?.name,
    origin,
  }));

test.each([["10a740e118e0"], ["7169f9710768"]])(
  "the main agent of %s has the tokens that its checkpoint names",
  async (name) => {
    const session = await sessionOf(`claude-code-entire/${name}.jsonl`);
    const { token_usage: oracle } = JSON.parse(
      readFileSync(join(fixtures, `claude-code-entire/${name}.metadata.json`), "utf8"),
    );
    const { totals } = session.agents?.[0] ?? {};
    const { input_tokens = 0, output_tokens, model_calls } = totals ?? {};
    const { cache_read_input_tokens: read = 0, cache_write_input_tokens: written = 0 } =
      totals ?? {};
    expect({
      input_tokens: input_tokens - read - written,
      cache_creation_tokens: written,
      cache_read_tokens: read,
      output_tokens,
      api_call_count: model_calls,
    }).toEqual(oracle);
    expect(totals?.cost?.calls).toEqual({ priced: oracle.api_call_count });
  },
);

test("a sub-agent that is seen through progress records hangs under the call that asked for it", async () => {
  const session = await sessionOf("claude-code-entire/10a740e118e0.jsonl");
  expect(agentsOf(session)).toEqual([
    { name: "Claude Code" },
    { name: "general-purpose", parent: "Claude Code", origin: "observed" },
  ]);
  const agent = stepsOf(session).find(({ label }) => label === "agent");
  expect(agent?.edges).toMatchObject([{ type: "subagent_spawn", origin: "observed" }]);
  expect(session.conversations.length).toBe(1);
  expect(stepsOf(session).filter(({ label }) => label === "thought").length).toBeGreaterThan(0);
});

test("side chains belong to the tasks whose prompt they begin with; one that the tool refused has none", async () => {
  const { sessions, warnings } = await sessionsOf(
    "claude-code-viewer/5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl",
  );
  expect(warnings).toEqual([
    "Left out: 53 × record userType, 53 × record version: of the program.",
    "Left out: 53 × record cwd, 53 × record gitBranch: of the machine.",
    "Left out: 28 × assistant message.usage.* (service_tier): the document has no place for it.",
    "Left out: 39 × user toolUseResult.* (newTodos, durationMs, numFiles, filenames, type …): a second form of the result.",
  ]);
  const [session] = sessions as [Session];
  expect(agentsOf(session)).toEqual([
    { name: "Claude Code" },
    { name: "general-purpose", parent: "Claude Code", origin: "inferred" },
    { name: "general-purpose", parent: "Claude Code", origin: "inferred" },
  ]);
  const errors = stepsOf(session).filter(({ label }) => label === "tool_error");
  expect(JSON.stringify(errors)).toContain("<tool_use_error>InputValidationError");
});

const edge = "claude-code-edge";
test.each([
  [
    "a record says which call it follows",
    [`${edge}/memory_sidechain.jsonl`],
    [{ name: "general-purpose", parent: "Claude Code", origin: "observed" }],
  ],
  [
    "the tool's result names the agent",
    [`${edge}/dedup_main.jsonl`, `${edge}/dedup_agent.jsonl`],
    [{ name: "general-purpose", parent: "Claude Code", origin: "observed" }],
  ],
  [
    "an agent works in the background",
    [
      `${edge}/async_agents/eb000000-0000-4000-8000-000000000001.jsonl`,
      `${edge}/async_agents/eb000000-0000-4000-8000-000000000001/subagents/agent-cccc333.jsonl`,
    ],
    [{ name: "Explore", parent: "Claude Code", origin: "observed" }],
  ],
])("%s: sub-agents are found by id", async (_, paths, agents) => {
  const session = await sessionOf(...paths);
  expect(agentsOf(session)).toEqual([{ name: "Claude Code" }, ...agents]);
});

test.each([
  ["teammates", 2],
  ["workflow_basic", 3],
])("all sub-agents of %s have the main agent above them", async (folder, count) => {
  const root = join(fixtures, edge, folder);
  const paths = await filesBelow(root, (name) => claudeCode.takes?.(name) === true);
  const session = await sessionOf(...paths.map((path) => path.slice(fixtures.length)));
  const [main, ...agents] = agentsOf(session);
  expect(main).toEqual({ name: "Claude Code" });
  expect(agents.length).toBe(count);
  expect(agents.every(({ parent }) => parent === "Claude Code")).toBe(true);
});

test("a session that resumes or forks another one goes on from the step where it left", async () => {
  const { sessions } = await sessionsOf(`${edge}/dag_fork.jsonl`);
  const [s1, s2, s3] = sessions as [Session, Session, Session];
  const targets = [s2, s3].map((session) =>
    stepsOf(session).flatMap(({ edges = [] }) =>
      edges.filter(({ type }) => type === "continues").map(({ to }) => to.split("/")[1]),
    ),
  );
  const said = new Map(
    stepsOf(s1).map(({ step_id, payload_started }) => [step_id, payload_started?.["text"]]),
  );
  expect(targets.map(([to = ""]) => said.get(to))).toEqual(["Last in s1", "Middle"]);
});

test("a resumed session that begins with a copy of the earlier one goes on from its end; the copied calls are not its own", async () => {
  const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
  const line = (sessionId: string, n: number, type: string, content: unknown) => ({
    ...record(uuid(n), n === 1 ? null : uuid(n - 1), type, content),
    sessionId,
    timestamp: `2026-01-01T00:00:0${n}.000Z`,
  });
  const said = (sessionId: string) => [
    line(sessionId, 1, "user", "First"),
    line(sessionId, 2, "assistant", [{ type: "text", text: "One" }]),
  ];
  const next = [
    line("later", 3, "user", "Second"),
    line("later", 4, "assistant", [{ type: "text", text: "Two" }]),
  ];
  const files = [said("early"), [...said("later"), ...next]].map((records, at) =>
    sourceText(`${linesOf(...records)}\n`, `${at}.jsonl`),
  );
  const { records } = await recordsOf(claudeCode, files);
  const [early, later] = assemble(records) as [Session, Session];
  const [call] = stepsOf(early).filter(({ label }) => label === "assistant_call");
  const calls = stepsOf(later).filter(({ label }) => label === "assistant_call");
  const from = calls.map(({ edges = [] }) =>
    edges.filter(({ type }) => type === "continues").map(({ to }) => to.split("/")[1]),
  );
  expect(from).toEqual([[call?.step_id]]);
  const given = stepsOf(later).filter(({ label }) => label.endsWith("_message"));
  expect(
    given.map(
      ({ payload_started: asked, payload_completed: said }) => said?.["text"] ?? asked?.["text"],
    ),
  ).toEqual(["First", "One", "Second", "Two"]);
});

test("of sessions that were resumed again and again the shortest is the original, whatever its name; one with nothing of its own is told", async () => {
  const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
  const line = (sessionId: string, n: number) => ({
    ...record(
      uuid(n),
      n === 1 ? null : uuid(n - 1),
      n % 2 === 1 ? "user" : "assistant",
      n % 2 === 1 ? `Question ${n}` : [{ type: "text", text: `Answer ${n}` }],
    ),
    sessionId,
    timestamp: `2026-01-01T00:00:0${n}.000Z`,
  });
  const written = (id: string, records: number) =>
    linesOf(...Array.from({ length: records }, (_, n) => line(id, n + 1)));
  // An agent that only the last one asked for makes it no original.
  const agent = { ...line("a", 7), uuid: uuid(0), isSidechain: true, agentId: "own" };
  const files = { a: 6, b: 4, c: 2, d: 2 };
  const { records, warnings } = await recordsOf(claudeCode, [
    ...Object.entries(files).map(([id, length]) =>
      sourceText(`${written(id, length)}\n`, `${id}.jsonl`),
    ),
    sourceText(`${linesOf(agent)}\n`, "agent-own.jsonl"),
  ]);
  const sessions = assemble(records);
  expect(
    Object.fromEntries(sessions.map(({ session_id: id, totals }) => [id, totals?.model_calls])),
  ).toEqual({ a: 1, b: 1, c: 1 });
  expect(warnings).toContain("Left out: 1 × session that is the beginning of another one.");
});

test("lines that are no records are kept as they are, and counted", async () => {
  const { sessions, warnings } = await sessionsOf(`${edge}/edge_cases.jsonl`);
  expect(warnings).toEqual([
    "Left out: 1 × user message.contenst, 1 × user timesstamp, 1 × user message: not known to this import.",
    "Kept as text: 3 × line that can't be read (it is no record).",
    "Kept as text: 1 × line that can't be read (it has no type).",
    "Repaired: 2 × record with the id of another one: both are kept.",
    "Repaired: 1 × record that follows one which is not here: the order of the lines counts.",
    "Left out: 14 × record userType, 14 × record version: of the program.",
    "Left out: 14 × record cwd: of the machine.",
    "Left out: 3 × assistant message.usage.* (service_tier): the document has no place for it.",
    "Left out: 3 × user toolUseResult.*: a second form of the result.",
  ]);
  const kept = sessions
    .flatMap(stepsOf)
    .filter(({ payload_started }) => payload_started?.["name"] === "unreadable line");
  expect(kept.length).toBe(4);
});

const record = (uuid: string, parentUuid: string | null, type: string, content: unknown) => ({
  type,
  uuid,
  parentUuid,
  sessionId: "made",
  timestamp: `2026-01-01T00:00:0${uuid.length % 10}.000Z`,
  message: { role: type, content, ...(type === "assistant" && { id: `msg_${uuid}`, model: "m" }) },
});

const linesOf = (...records: readonly object[]) =>
  records.map((one) => JSON.stringify(one)).join("\n");

test("parents in a circle, dangling parents, one id twice and a cut-off line lose nothing else", async () => {
  const text = `${linesOf(
    record("a", "b", "user", "First"),
    record("b", "a", "assistant", [{ type: "text", text: "One" }]),
    record("b", "nobody", "user", "Second"),
    record("c", "c", "assistant", [{ type: "text", text: "Two" }]),
  )}\n{"type":"assistant","uuid":"d","mess`;
  const { records, warnings } = await recordsOfText(claudeCode, text);
  const [session] = assemble(records) as [Session];
  expect(checkSession(session)).toEqual([]);
  const texts = stepsOf(session).map(
    ({ payload_started, payload_completed }) =>
      payload_started?.["text"] ?? payload_completed?.["text"],
  );
  expect(texts).toEqual(expect.arrayContaining(["First", "One", "Second", "Two"]));
  expect(warnings).toEqual([
    "Kept as text: 1 × line that can't be read (it was cut off).",
    "Repaired: 1 × record with the id of another one: both are kept.",
    "Repaired: 1 × record that follows one which is not here: the order of the lines counts.",
    "Repaired: 2 × circle of records that follow each other: the order of the lines counts.",
  ]);
});

test("what the cache keeps for an hour is paid as such, and counted with the rest", async () => {
  const answer = record("bb", "a", "assistant", [{ type: "text", text: "One" }]);
  const usage = (forAnHour: number) => ({
    input_tokens: 4,
    cache_read_input_tokens: 10_000,
    cache_creation_input_tokens: 3_000,
    cache_creation: {
      ephemeral_5m_input_tokens: 3_000 - forAnHour,
      ephemeral_1h_input_tokens: forAnHour,
    },
    output_tokens: 100,
  });
  const callWith = async (forAnHour: number) => {
    const message = { ...answer.message, model: "claude-opus-4-5-20251101" };
    const { records } = await recordsOfText(
      claudeCode,
      linesOf(record("a", null, "user", "First"), {
        ...answer,
        message: { ...message, usage: usage(forAnHour) },
      }),
    );
    const [session] = assemble(records) as [Session];
    return stepsOf(session).find(({ label }) => label === "assistant_call");
  };
  const [five, mixed, hour] = [await callWith(0), await callWith(1_000), await callWith(3_000)];
  // A million costs 5 dollars, read 0.50, written 6.25, for an hour 10: 0.00002 + 0.005 + …
  expect(five?.cost).toMatchObject({ status: "priced", input: "0.02377", output: "0.0025" });
  expect(mixed?.cost).toMatchObject({ status: "priced", input: "0.02752", output: "0.0025" });
  expect(hour?.cost).toMatchObject({ status: "priced", input: "0.03502", output: "0.0025" });
  for (const one of [mixed, hour]) expect({ ...one, cost: five?.cost }).toEqual(five);
});

/** "Second" was taken back, and "Instead" typed where it stood. */
const BRANCHED = [
  record("a", null, "user", "First"),
  record("bb", "a", "assistant", [{ type: "text", text: "One" }]),
  record("ccc", "bb", "user", "Second"),
  record("dddd", "ccc", "assistant", [{ type: "text", text: "Two" }]),
  record("eeeee", "bb", "user", "Instead"),
  record("ffffff", "eeeee", "assistant", [{ type: "text", text: "Three" }]),
];

async function callsOf(lines: readonly object[]) {
  const { records } = await recordsOfText(claudeCode, linesOf(...lines));
  const [session] = assemble(records) as [Session];
  return stepsOf(session).filter(({ label }) => label === "assistant_call");
}

test("a prompt that is taken back makes a branch: the call goes on from where it left", async () => {
  const [first, , third] = await callsOf(BRANCHED);
  expect(third?.payload_started?.["input"]).toEqual([
    expect.stringContaining(first?.step_id ?? "?"),
    expect.stringMatching(/^s_/),
  ]);
});

test("a longer branch that is taken up again after a shorter one goes on from where it ended", async () => {
  const [, second, third, last] = await callsOf([
    ...BRANCHED,
    record("ggggggg", "dddd", "user", "Back to the second"),
    record("hhhhhhhh", "ggggggg", "assistant", [{ type: "text", text: "Four" }]),
  ]);
  const input = JSON.stringify(last?.payload_started?.["input"]);
  expect(input).toContain(second?.step_id ?? "?");
  expect(input).not.toContain(third?.step_id ?? "?");
});

test("a run whose last tool calls nobody answered is abandoned; one that went on without a result is not", async () => {
  const call = (id: string) => ({ type: "tool_use", id, name: "Bash", input: {} });
  const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "ok" });
  const text = linesOf(
    record("a", null, "user", "Begin"),
    record("aa", "a", "assistant", [call("t1"), call("t2")]),
    record("aaa", "aa", "user", [result("t1")]),
    record("aaaa", "aaa", "assistant", [{ type: "text", text: "Done." }]),
    record("aaaaa", "aaaa", "user", "Go on"),
    record("aaaaaa", "aaaaa", "assistant", [call("t3")]),
    record("aaaaaaa", "aaaaaa", "user", "Are you there?"),
    record("aaaaaaaa", "aaaaaaa", "assistant", [{ type: "text", text: "Again." }, call("t4")]),
  );
  const { records } = await recordsOf(claudeCode, [sourceText(text, "made.jsonl")]);
  const [session] = assemble(records) as [Session];
  expect(session.conversations.map(({ status }) => status)).toEqual([
    "completed",
    "abandoned",
    "abandoned",
  ]);
  expect(session.status).toBe("abandoned");
});

test("secrets in a transcript are masked", async () => {
  const key = `sk-ant-api03-${"a1B2".repeat(24)}`;
  const text = linesOf(
    record("a", null, "user", `My key is ${key}`),
    record("bb", "a", "assistant", [
      { type: "tool_use", id: "t1", name: "Bash", input: { command: `export KEY=${key}` } },
    ]),
    record("ccc", "bb", "user", [{ type: "tool_result", tool_use_id: "t1", content: key }]),
    record("dddd", "ccc", "assistant", [{ type: "thinking", thinking: key }]),
  );
  const { records } = await recordsOfText(claudeCode, text);
  expect(JSON.stringify(records)).not.toContain(key);
  expect(JSON.stringify(assemble(records))).toContain("[redacted: ");
});

test.each([
  ["", "it is empty"],
  ["not json\n", "it is not a transcript of Claude Code"],
  ['{"resourceSpans":[]}\n', "it is not a transcript of Claude Code"],
])("%j is told to be no transcript", async (text, problem) => {
  const reading = recordsOfText(claudeCode, text);
  await expect(reading).rejects.toThrow(ImportProblem);
  await expect(reading).rejects.toThrow(problem);
});

test("two sessions with the same ids and times are no copies of each other where they say different things", async () => {
  const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
  const said = (sessionId: string, text: string) =>
    linesOf(
      { ...record(uuid(1), null, "user", `Count ${text}.`), sessionId },
      {
        ...record(uuid(2), uuid(1), "assistant", [{ type: "text", text: `Two ${text}.` }]),
        sessionId,
      },
    );
  const files = ["apples", "pears"].map((text) => sourceText(said(text, text), `${text}.jsonl`));
  const { records } = await recordsOf(claudeCode, files);
  const calls = assemble(records).map(({ totals }) => totals?.model_calls);
  expect(calls).toEqual([1, 1]);
});

test("what other files call a session is told behind its records, before the next one's", async () => {
  const said = (sessionId: string, uuid: string) =>
    `{"type":"user","uuid":"${uuid}","sessionId":"${sessionId}","timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"user","content":"Hello"}}\n`;
  const called = (leaf: string, name: string) =>
    `{"type":"summary","leafUuid":"${leaf}","summary":"${name}"}\n`;
  const { records, warnings } = await recordsOf(claudeCode, [
    sourceText(called("u1", "One") + called("gone", "Nobody"), "names.jsonl"),
    sourceText(said("one", "u1"), "one.jsonl"),
    sourceText(said("two", "u2") + called("u1", "One later"), "two.jsonl"),
    sourceText(called("u2", "Two") + said("three", "u3"), "three.jsonl"),
  ]);
  const told = records.flatMap((record) =>
    "attributes" in record
      ? [record.attributes[ATTR_THOUGHTFLOW_SESSION_TITLE] ?? record.attributes[ATTR_SESSION_ID]]
      : [],
  );
  expect([...new Set(told)]).toEqual(["one", "Hello", "One", "two", "Two", "One later", "three"]);
  expect(warnings).toContainEqual(expect.stringContaining("1 × summary of a session that is not"));
});

test("what the program tells in a person's place begins a run that no person began, however versions say so", async () => {
  const told = [
    { content: "Do it." },
    { content: "Task b1 is done.", origin: { kind: "task-notification" } },
    { content: "Go on.", promptSource: "system" },
    { content: "<task-notification>\n<task-id>b1</task-id>\n</task-notification>" },
    { content: 'Background agent "Fix it" was stopped by the user.' },
    { content: "Do more.", promptSource: "typed" },
  ];
  const lines = told.flatMap(({ content, ...more }, nth) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1, 0, nth)).toISOString();
    const record = { sessionId: "told", timestamp };
    const message = { id: `msg_${nth}`, role: "assistant", model: "m", content: "Yes." };
    return [
      { ...record, ...more, type: "user", uuid: `u${nth}`, message: { role: "user", content } },
      { ...record, type: "assistant", uuid: `a${nth}`, message },
    ].map((line) => JSON.stringify(line));
  });
  const [session] = assemble((await recordsOfText(claudeCode, lines.join("\n"))).records);
  expect(session?.conversations.map(({ trigger }) => trigger)).toEqual([
    "user_message",
    "event",
    "event",
    "event",
    "event",
    "user_message",
  ]);
});

test("records that only the program needs are left out by name", async () => {
  const types = ["pr-link", "bridge-session", "frame-link", "worktree-state", "file-history-delta"];
  const lines = ["user", ...types].map((type) =>
    JSON.stringify({ type, sessionId: "left", message: { role: "user", content: "Hello." } }),
  );
  const { warnings } = await recordsOfText(claudeCode, lines.join("\n"));
  expect(warnings.join("\n")).not.toContain("not known");
});

test("a transcript that somebody made one array of is read as its records, pretty or not", async () => {
  const path = "claude-code-viewer/5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl";
  const text = readFileSync(join(fixtures, path), "utf8");
  const all = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
  const expected = await sessionOf(path);
  for (const space of [0, 2]) {
    const file = sourceText(JSON.stringify(all, null, space), "session.json");
    const { records } = await recordsOf(claudeCode, [file]);
    const [session] = assemble(records);
    expect(session?.totals).toEqual(expected.totals);
    expect(agentsOf(session as Session)).toEqual(agentsOf(expected));
  }
});

test("files beside transcripts in which nothing of Claude Code stands are told", async () => {
  const transcript = sourceFile(
    join(fixtures, "claude-code-entire/10a740e118e0.jsonl"),
    "own.jsonl",
  );
  const metric = '{"type":"metric","value":1,"timestamp":"2026-01-01T00:00:00Z"}\n';
  const others = ["", "no line of it\n", '{"a":1}\n', metric.repeat(60)];
  const files = others.map((text, at) => sourceText(text, `${at}.jsonl`));
  const { warnings } = await recordsOf(claudeCode, [transcript, ...files]);
  expect(warnings).toContain(
    "Left out: 4 × file in which no record is (0.jsonl, 1.jsonl, 2.jsonl, 3.jsonl).",
  );
  expect(warnings.join("\n")).not.toContain("metric");
});
