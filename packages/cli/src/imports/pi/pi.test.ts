import { assemble } from "@thoughtflow/assemble";
import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { pi } from "./pi.ts";

const T0 = Date.UTC(2026, 2, 1, 10);
const timeAt = (second: number) => new Date(T0 + second * 1_000).toISOString();

const header = (id: string, second: number, parentSession?: string) => ({
  type: "session",
  version: 3,
  id,
  timestamp: timeAt(second),
  cwd: "/work",
  ...(parentSession && { parentSession }),
});

/** An entry of what a person said, or the model. */
function message(id: string, parentId: string | null, second: number, role: string, text: string) {
  const content = [{ type: "text", text }];
  const answered = role === "assistant" && { provider: "openai", model: "m", stopReason: "stop" };
  const timestamp = T0 + second * 1_000;
  const said = { role, content, ...answered, timestamp };
  return { type: "message", id, parentId, timestamp: timeAt(second), message: said };
}

async function sessionsOf(files: Readonly<Record<string, readonly object[]>>) {
  const { records, warnings } = await recordsOf(
    pi,
    Object.entries(files).map(([name, entries]) =>
      sourceText(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""), name),
    ),
  );
  return { sessions: assemble(records), warnings };
}

function callsOf(session: Session | undefined) {
  const runs = session?.conversations ?? [];
  return runs.flatMap((run) =>
    run.steps
      .filter(({ label }) => label === "assistant_call")
      .map((step) => ({
        at: `${run.trace_id}/${step.step_id}`,
        text: step.payload_completed?.["text"],
        continues: step.edges?.find(({ type }) => type === "continues")?.to,
        given: step.payload_started?.["input"],
      })),
  );
}

const old = [
  message("a1", null, 1, "user", "Look."),
  message("a2", "a1", 2, "assistant", "I look."),
  message("a3", "a2", 3, "user", "Where?"),
  message("a4", "a3", 4, "assistant", "Everywhere."),
];

test("a title before the first line, as oh-my-pi keeps it, takes no id from the session", async () => {
  const title = { type: "title", v: 1, title: "The list", source: "auto", pad: "    " };
  const asked = message("a1", null, 1, "user", "Check the list.");
  const answer = message("a2", "a1", 2, "assistant", "All good.");
  const usage = { input: 3, output: 194, cacheRead: 5, cacheWrite: 19_726, reasoningTokens: 119 };
  const answered = { ...answer, message: { ...answer.message, usage } };
  const { sessions } = await sessionsOf({
    "2026-03-01_s.jsonl": [title, header("s", 0), asked, answered],
    "2026-03-01_fork.jsonl": [
      title,
      header("fork", 3, "/sessions/2026-03-01_s.jsonl"),
      asked,
      answered,
      message("b1", "a2", 4, "user", "Again."),
      message("b2", "b1", 5, "assistant", "Still."),
    ],
  });
  const byId = new Map(sessions.map((one) => [one.session_id, one]));
  expect([...byId.keys()].toSorted()).toEqual(["fork", "s"]);
  expect(sessions.map((one) => [one.title, one.totals?.model_calls])).toEqual([
    ["The list", 1],
    ["The list", 1],
  ]);
  const call = byId.get("s")?.conversations[0]?.steps.find((one) => one.label === "assistant_call");
  expect(call?.usage).toMatchObject({ output_tokens: 194, reasoning_output_tokens: 119 });
  const [first] = callsOf(byId.get("s"));
  expect(callsOf(byId.get("fork")).map(({ continues }) => continues)).toEqual([first?.at]);
});

test("two answers of one session with one id and the same words are two, as servers count their ids anew", async () => {
  const answer = (id: string, parentId: string, second: number) => {
    const entry = message(id, parentId, second, "assistant", "Done.");
    const told = { responseId: "chatcmpl-7", usage: { input: 12, output: 7 } };
    return { ...entry, message: { ...entry.message, ...told } };
  };
  const first = [message("a1", null, 1, "user", "Go."), answer("a2", "a1", 2)];
  const entries = [...first, message("a3", "a2", 3, "user", "Again."), answer("a4", "a3", 4)];
  const file = [header("s", 0), ...entries];
  // A copy of a file tells nothing new.
  for (const files of [{ "s.jsonl": file }, { "s.jsonl": file, "copy.jsonl": file }]) {
    const { sessions } = await sessionsOf(files);
    expect(sessions.map(({ totals }) => [totals?.model_calls, totals?.output_tokens])).toEqual([
      [2, 14],
    ]);
  }
});

test("a fork goes on from the answer that it copied last, and so does a fork of the fork", async () => {
  const copied = old.slice(0, 3);
  const own = [message("b1", "a3", 11, "assistant", "Here.")];
  const next = [
    message("c1", "a2", 21, "user", "Stop."),
    message("c2", "c1", 22, "assistant", "Done."),
    message("c3", "c2", 23, "user", "Really?"),
    message("c4", "c3", 24, "assistant", "Yes."),
  ];
  const { sessions, warnings } = await sessionsOf({
    "3_c.jsonl": [header("c", 20, "C:\\sessions\\2_b.jsonl"), ...copied.slice(0, 2), ...next],
    "2_b.jsonl": [header("b", 10, "/sessions/1_a.jsonl"), ...copied, ...own],
    "1_a.jsonl": [header("a", 0), ...old],
  });
  const [a, b, c] = ["a", "b", "c"].map((id) =>
    callsOf(sessions.find(({ session_id }) => session_id === id)),
  );
  expect(a?.map(({ continues }) => continues)).toEqual([undefined, undefined]);
  expect(b?.map(({ continues }) => continues)).toEqual([a?.[0]?.at]);
  expect(c?.map(({ continues }) => continues)).toEqual([a?.[0]?.at, undefined]);
  expect(warnings.join()).not.toContain("tie of a fork");
});

test("a fork of a session that is not there is told", async () => {
  const { warnings } = await sessionsOf({
    "b.jsonl": [header("b", 10, "/sessions/a.jsonl"), ...old.slice(0, 2)],
  });
  expect(warnings.join()).toContain("1 × tie of a fork to a session that is not here");
});

test("an answer was asked for when its message says, and was whole when its entry was written", async () => {
  const content = [{ type: "toolCall", id: "t1", name: "read", arguments: { path: "/a" } }];
  const asked = message("a2", "a1", 2, "assistant", "");
  const gave = message("a3", "a2", 7, "toolResult", "import");
  const { sessions } = await sessionsOf({
    "a.jsonl": [
      header("a", 0),
      message("a1", null, 1, "user", "Look."),
      { ...asked, timestamp: timeAt(6), message: { ...asked.message, content } },
      { ...gave, message: { ...gave.message, toolCallId: "t1", toolName: "read" } },
    ],
  });
  const steps = sessions[0]?.conversations.flatMap((run) => run.steps) ?? [];
  expect(
    steps.flatMap(({ label, started_at, duration_ms }) =>
      label === "assistant_call" || label === "tool_call" ? [[label, started_at, duration_ms]] : [],
    ),
  ).toEqual([
    ["assistant_call", timeAt(2), 4_000],
    ["tool_call", timeAt(6), 1_000],
  ]);
});

test("a fork of a session that is not there, and that nobody went on with, is all that there is", async () => {
  const made = { ...header("b", 10), branchedFrom: "/sessions/a.jsonl" };
  const { sessions, warnings } = await sessionsOf({ "b.jsonl": [made, ...old] });
  expect(callsOf(sessions[0]).map(({ text }) => text)).toEqual(["I look.", "Everywhere."]);
  expect(warnings.join()).toContain("1 × tie of a fork to a session that is not here");
  // Where that is there it has them.
  const both = await sessionsOf({ "a.jsonl": [header("a", 0), ...old], "b.jsonl": [made, ...old] });
  expect(both.sessions.flatMap(callsOf)).toHaveLength(2);
  // And where somebody went on, only the new calls are its own.
  const own = [message("b1", "a4", 11, "user", "So?"), message("b2", "b1", 12, "assistant", "So.")];
  const further = await sessionsOf({ "b.jsonl": [made, ...old, ...own] });
  expect(further.sessions.flatMap(callsOf).map(({ text }) => text)).toEqual(["So."]);
});

test("a summary replaces the history of the branch on which it stands, though another one is the latest", async () => {
  const { sessions } = await sessionsOf({
    "a.jsonl": [
      header("a", 0),
      ...old,
      // Beside a3 and a4, and then back to those.
      message("b1", "a2", 5, "user", "Aside."),
      message("b2", "b1", 6, "assistant", "As you like."),
      {
        type: "compaction",
        id: "s1",
        parentId: "a4",
        timestamp: timeAt(7),
        summary: "We looked everywhere.",
      },
      message("d1", "s1", 8, "user", "Go on."),
      message("d2", "d1", 9, "assistant", "I go on."),
    ],
  });
  const calls = callsOf(sessions[0]);
  const [, everywhere, , after] = calls;
  expect(calls.map(({ text }) => text)).toEqual([
    "I look.",
    "Everywhere.",
    "As you like.",
    "I go on.",
  ]);
  expect(after?.continues).toBe(everywhere?.at.split("/")[1]);
  expect(after?.given).toHaveLength(2);
});

const usage = (input: number) => ({ input, output: 1, cacheRead: 0, cacheWrite: 0 });

test("what sums up, and what keeps the cache warm, are calls of their own, which the conversation goes past", async () => {
  const summed = { timestamp: timeAt(6), summary: "We looked everywhere.", usage: usage(70) };
  const { sessions } = await sessionsOf({
    "a.jsonl": [
      header("a", 0),
      ...old,
      {
        type: "usage",
        id: "w1",
        parentId: "a4",
        timestamp: timeAt(5),
        kind: "cache_warm",
        provider: "openai",
        model: "warm",
        usage: usage(50),
      },
      { type: "compaction", id: "s1", parentId: "w1", ...summed },
      message("d1", "s1", 8, "user", "Go on."),
      message("d2", "d1", 9, "assistant", "I go on."),
    ],
  });
  const calls = callsOf(sessions[0]);
  const [, everywhere, , , after] = calls;
  expect(calls.map(({ text }) => text ?? "")).toEqual([
    "I look.",
    "Everywhere.",
    "",
    "We looked everywhere.",
    "I go on.",
  ]);
  expect(after?.continues).toBe(everywhere?.at.split("/")[1]);
  expect(after?.given).toHaveLength(2);
  expect(sessions[0]?.totals).toMatchObject({ model_calls: 5, input_tokens: 120 });
});

test("what a fork copied of sums and of warm caches is no call of its own", async () => {
  const summed = { timestamp: timeAt(5), summary: "We looked.", usage: usage(70) };
  const { sessions } = await sessionsOf({
    "b.jsonl": [
      header("b", 10, "/sessions/a.jsonl"),
      ...old,
      { type: "compaction", id: "s1", parentId: "a4", ...summed },
      message("d1", "s1", 12, "user", "Go on."),
      message("d2", "d1", 13, "assistant", "I go on."),
    ],
  });
  expect(sessions[0]?.totals?.model_calls).toBe(1);
});

test("system messages are the prompt and the tools of the next call, section by section, and nobody's turn", async () => {
  const system = (id: string, parentId: string | null, told: object) => ({
    type: "message",
    id,
    parentId,
    timestamp: timeAt(0),
    message: { role: "system", content: "", ...told },
  });
  const tool = (name: string) => ({ name, description: name, parameters: {} });
  const { sessions, warnings } = await sessionsOf({
    "a.jsonl": [
      header("a", 0),
      system("y1", null, {
        sections: { preamble: "You are Pi.", cwd: "/work" },
        toolsAdded: [tool("read"), tool("write")],
      }),
      message("a1", "y1", 1, "user", "Look."),
      message("a2", "a1", 2, "assistant", "I look."),
      system("y2", "a2", { sections: { cwd: null }, toolsRemoved: [{ name: "write" }] }),
      message("a3", "y2", 3, "user", "Where?"),
      message("a4", "a3", 4, "assistant", "Everywhere."),
    ],
  });
  const steps = sessions[0]?.conversations.flatMap((run) => run.steps) ?? [];
  const told = steps.map(({ label, payload_started: started }) => [
    label,
    started?.["text"] ?? started?.["content"] ?? started?.["content_preview"] ?? started?.["names"],
  ]);
  expect(
    told.filter(([label]) => label !== "assistant_call" && label !== "assistant_message"),
  ).toEqual([
    ["user_message", "Look."],
    ["policy.snapshot", "You are Pi.\n\n/work"],
    ["tool.schemas.snapshot", ["read", "write"]],
    ["user_message", "Where?"],
    ["policy.snapshot", "You are Pi."],
    ["tool.schemas.snapshot", ["read"]],
  ]);
  expect(warnings.join()).not.toContain("tie of a record");
});
