import { assemble } from "@thoughtflow/assemble";
import { checkSession } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { geminiCli } from "./gemini-cli.ts";

const text = (role: string, words: string) => ({ role, parts: [{ text: words }] });
const call = (name: string, more = {}) => ({ functionCall: { name, args: {}, ...more } });
const gave = (name: string, response: object, more = {}) => ({
  functionResponse: { name, response, ...more },
});
const SETUP = "This is the Gemini CLI. We are setting up the context for our chat.";

const history = [
  text("user", SETUP),
  text("model", "Got it. Thanks for the context!"),
  text("user", "Which files?"),
  { role: "model", parts: [{ text: "I look." }, call("ls"), call("glob", { id: "g1" })] },
  {
    role: "user",
    parts: [gave("glob", { output: "b.txt" }, { id: "g1" }), gave("ls", { error: "denied" })],
  },
  text("model", "One."),
];

async function importOf(files: Readonly<Record<string, unknown>>) {
  const { records, warnings } = await recordsOf(
    geminiCli,
    Object.entries(files).map(([name, value]) => sourceText(JSON.stringify(value), name)),
  );
  const sessions = assemble(records);
  for (const session of sessions) expect(checkSession(session)).toEqual([]);
  return { sessions, warnings };
}

// As `/chat save` wrote it first, and writes it now.
test.each([
  ["a list", history],
  ["a history", { history, authType: "oauth-personal" }],
])("a conversation that somebody saved as %s is a session", async (_, saved) => {
  const { sessions } = await importOf({ "checkpoint-mine.json": saved });
  expect(sessions).toHaveLength(1);
  const [{ session_id, title, conversations = [] } = {}] = sessions;
  expect([session_id, title]).toEqual([
    expect.stringMatching(/^checkpoint-mine_[0-9a-f]{8}$/),
    "Which files?",
  ]);
  expect(
    conversations.map(({ steps }) =>
      steps.map(({ label, payload_started: began, payload_completed: ended }) => [
        label,
        began?.["text"] ?? began?.["name"] ?? ended?.["text"] ?? ended?.["result"],
      ]),
    ),
  ).toEqual([
    [
      ["generic", SETUP],
      ["generic", "Got it. Thanks for the context!"],
      ["user_message", "Which files?"],
      ["assistant_call", "gcp.gemini.chat"],
      ["assistant_message", "I look."],
      ["tool_call", "ls"],
      ["tool_error", "denied"],
      ["tool_call", "glob"],
      ["tool_output", "b.txt"],
      ["assistant_call", "gcp.gemini.chat"],
      ["assistant_message", "One."],
    ],
  ]);
});

test("a conversation that was saved is left out where its chat is there, and told", async () => {
  const message = (id: string, type: string, content: string) => ({
    id,
    type,
    content,
    timestamp: "2026-03-01T10:00:00.000Z",
  });
  const chatOf = (words: string) => ({
    sessionId: "s1",
    projectHash: "h",
    messages: [message("m1", "user", words), message("m2", "gemini", "One.")],
  });
  const same = await importOf({ "c.json": history, "session-1.json": chatOf("Which files?") });
  expect(same.sessions.map(({ session_id }) => session_id)).toEqual(["s1"]);
  expect(same.warnings.join("\n")).toContain("1 × saved conversation: its chat is here");
  const other = await importOf({ "c.json": history, "session-1.json": chatOf("Why?") });
  expect(other.sessions).toHaveLength(2);
});

const more = [...history, text("user", "And now?"), text("model", "Two.")];

test("a conversation that is saved again under its name is the same session, with what came since", async () => {
  const [first, later] = [
    await importOf({ "checkpoint-mine.json": history }),
    await importOf({ "checkpoint-mine.json": more }),
  ].map(({ sessions }) => sessions.map(({ session_id: id, totals }) => [id, totals?.model_calls]));
  expect(later).toEqual([[first?.[0]?.[0], 3]]);
  const other = [...history.slice(0, 2), text("user", "Why?"), text("model", "So.")];
  const { sessions } = await importOf({ "checkpoint-mine.json": other });
  expect(sessions.map(({ session_id: id }) => id)).not.toEqual([first?.[0]?.[0]]);
});

test("of a conversation that was saved under several names the longest alone is read, and told", async () => {
  const { sessions, warnings } = await importOf({
    "checkpoint-a.json": history,
    "checkpoint-b.json": more,
  });
  expect(sessions.map(({ totals }) => totals?.model_calls)).toEqual([3]);
  expect(warnings.join("\n")).toContain("1 × saved conversation: its chat is here");
});

test("two that went on differently from one beginning are two sessions, also under one name", async () => {
  const other = [...history, text("user", "Or else?"), text("model", "No.")];
  const { sessions } = await importOf({
    "a/checkpoint-x.json": more,
    "b/checkpoint-x.json": other,
  });
  expect(sessions.map(({ totals }) => totals?.model_calls)).toEqual([3, 3]);
});

test("a conversation that begins with the words of another one is not that one", async () => {
  const chat = {
    sessionId: "s1",
    projectHash: "h",
    messages: ["user", "gemini"].map((type, nth) => ({
      id: `m${nth}`,
      type,
      content: type === "user" ? "Which files?" : "None.",
      timestamp: "2026-03-01T10:00:00.000Z",
    })),
  };
  const { sessions } = await importOf({
    "session-1.json": chat,
    "asked.json": history,
    "answered.json": [text("model", "Nobody asked me.")],
  });
  expect(sessions.map(({ session_id }) => session_id.split("_")[0]).toSorted()).toEqual([
    ...["answered", "asked", "s1"],
  ]);
});

test("what tools gave is kept where the answer is told in pieces, and where its call was cut out", async () => {
  const { sessions } = await importOf({
    "c.json": [
      { role: "user", parts: [gave("grep", { output: "early.txt" })] },
      text("user", "Which files?"),
      { role: "model", parts: [call("ls")] },
      { role: "model", parts: [call("glob")] },
      { role: "user", parts: [gave("ls", { output: "a.txt" }), gave("glob", { output: "b.txt" })] },
      text("model", "Three."),
    ],
  });
  const steps = sessions.flatMap(({ conversations }) => conversations.flatMap((run) => run.steps));
  const told = steps.map(({ payload_started: began, payload_completed: ended }) =>
    JSON.stringify([began, ended]),
  );
  expect(
    ["early.txt", "a.txt", "b.txt"].map((name) => told.filter((one) => one.includes(name)).length),
  ).toEqual([1, 1, 1]);
  expect(steps.filter(({ label }) => label === "tool_output")).toHaveLength(2);
});
