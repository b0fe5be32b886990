import { readFileSync } from "node:fs";
import { assemble } from "@thoughtflow/assemble";
import type { Step } from "@thoughtflow/schema";
import { expect, test, vi } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { geminiCli } from "./gemini-cli.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 6, 6, 10, 0, seconds)).toISOString();

function said(id: string, seconds: number, content: unknown): object {
  return { id, timestamp: at(seconds), type: "user", content };
}

function answered(id: string, seconds: number, content: unknown, more: object = {}): object {
  const tokens = { input: 100, output: 10, cached: 20, thoughts: 5, tool: 0, total: 115 };
  return { id, timestamp: at(seconds), type: "gemini", content, tokens, ...more };
}

const response = { functionResponse: { id: "ls-1", name: "ls", response: { output: "a.ts" } } };
const toolCalls = [
  { id: "ls-1", name: "ls", args: {}, status: "success", timestamp: at(4), result: [response] },
];
const question = said("m1", 1, [{ text: "Explain the repo." }]);
const look = answered("m2", 3, "I look.", { toolCalls });
const small = answered("m3", 6, "It is a small repo.");
const again = said("m4", 8, [{ text: "Go on." }]);
const summary = said("sum", 9, [{ text: "<state_snapshot>a small repo</state_snapshot>" }]);
/** No model said it: nothing tells what it took. */
const acknowledged = { ...answered("ack", 9, [{ text: "Got it." }]), tokens: undefined };
/** As the program tells it when it has masked outputs, or compressed the chat: tools' answers are messages, too. */
const history = [
  question,
  answered("m2", 3, [{ text: "I look." }, { functionCall: { id: "ls-1", name: "ls", args: {} } }], {
    toolCalls,
  }),
  said("tr", 7, [response]),
  answered("m3", 6, [{ text: "It is a small repo." }]),
];

async function stepsOf(lines: readonly object[]): Promise<readonly Step[]> {
  const head = { sessionId: "g", projectHash: "p" };
  const text = [head, ...lines].map((line) => JSON.stringify(line)).join("\n");
  const { records } = await recordsOf(geminiCli, [sourceText(text, "session-g.jsonl")]);
  return assemble(records).flatMap((session) => session.conversations.flatMap((run) => run.steps));
}

function wordsOf(step: Step | undefined): unknown {
  return step?.payload_started?.["text"] ?? step?.payload_completed?.["text"];
}

function textsOf(steps: readonly Step[], label: string): readonly unknown[] {
  return steps.filter((step) => step.label === label).map(wordsOf);
}

test("a history that is told again is no second conversation, and what tools gave is nobody's turn", async () => {
  const plain = await stepsOf([question, look, small]);
  const synced = await stepsOf([question, look, small, { $set: { messages: history } }]);
  expect(synced).toEqual(plain);
});

test("a summary stands for what came before: the next call goes on from it, with what was asked meanwhile", async () => {
  const steps = await stepsOf([
    question,
    look,
    small,
    { $set: { messages: history } },
    again,
    { $set: { messages: [summary, acknowledged, again] } },
    answered("m5", 10, "Going on."),
  ]);
  expect(textsOf(steps, "assistant_message")).toEqual([
    "I look.",
    "It is a small repo.",
    "Going on.",
  ]);
  const calls = steps.filter(({ label }) => label === "assistant_call");
  expect(calls).toHaveLength(3);
  const byId = new Map(steps.map((step) => [step.step_id, step]));
  const rests = calls.at(-1)?.edges?.map(({ type, to }) => [type, wordsOf(byId.get(to))]);
  expect(rests?.toSorted()).toEqual([
    ["continues", "It is a small repo."],
    ["responds_to", "<state_snapshot>a small repo</state_snapshot>"],
    ["responds_to", "Go on."],
  ]);
});

test("a history that newer versions change in place is what one is that they told whole", async () => {
  const begun = [question, look, small];
  const result = [
    { functionResponse: { ...response.functionResponse, response: { output: "…" } } },
  ];
  const masked = {
    updates: [
      { id: "m3", content: [{ text: "It is a small repo." }] },
      { id: "m2", toolCalls: [{ id: "ls-1", result }] },
    ],
    orderIds: ["m1", "m2", "tr", "m3"],
  };
  // What the history has and the chat had not stands in lines of its own before the change.
  const answers = said("tr", 7, [response]);
  expect(await stepsOf([...begun, answers, { $patch: masked }])).toEqual(await stepsOf(begun));

  const info = { id: "i", timestamp: at(8), type: "info", content: "Compressing." };
  const summed = { removeIds: ["m1", "m2", "m3", "i"], orderIds: ["sum", "ack", "m4"] };
  const next = answered("m5", 10, "Going on.");
  const { length } = await stepsOf([...begun, info]);
  const patched = await stepsOf([
    ...[...begun, info, again, { $set: { lastUpdated: at(8) } }],
    ...[summary, acknowledged, { $patch: summed }, { $set: { lastUpdated: at(9) } }, next],
  ]);
  const told = await stepsOf([
    ...[...begun, info, again],
    ...[{ $set: { messages: [summary, acknowledged, again] } }, next],
  ]);
  expect(patched).toEqual(told);
  expect(patched.length).toBeGreaterThan(length);
});

test("what a change of the history leaves out is left by the next message, and what was said stays", async () => {
  const steps = await stepsOf([
    ...[question, look, small, again, answered("m5", 9, "Gone.")],
    { $patch: { removeIds: ["m4", "m5"] } },
    ...[said("m6", 11, "Another way."), answered("m7", 12, "There.")],
  ]);
  const calls = steps.filter(({ label }) => label === "assistant_call");
  expect(calls).toHaveLength(4);
  const byId = new Map(steps.map((step) => [step.step_id, step]));
  const asked = steps.find((step) => wordsOf(step) === "Another way.");
  const before = asked?.edges?.map(({ to }) => wordsOf(byId.get(to.split("/").at(-1) ?? "")));
  expect(before).toEqual(["It is a small repo."]);
});

test("a sub-agent that has the id of the one above it is told once", async () => {
  const chat = (kind: string) =>
    [{ sessionId: "g", projectHash: "p", kind }, question, answered(kind, 6, "It is small.")]
      .map((line) => JSON.stringify(line))
      .join("\n");
  const below = { ...sourceText(chat("subagent"), "session-sub.jsonl"), path: "chats/g/sub.jsonl" };
  const { records } = await recordsOf(geminiCli, [sourceText(chat("main"), "g.jsonl"), below]);
  const steps = assemble(records).flatMap(({ conversations }) =>
    conversations.flatMap((run) => run.steps),
  );
  expect(steps.filter(({ label }) => label === "assistant_call")).toHaveLength(2);
});

test("sub-agents that asked for each other are told, each once, and that they lead in a circle", async () => {
  const chat = (id: string) =>
    [
      { sessionId: id, projectHash: "p", kind: "subagent" },
      { ...question, id: `${id}1` },
      answered(`${id}2`, 6, "It is small."),
    ]
      .map((line) => JSON.stringify(line))
      .join("\n");
  const files = [
    { ...sourceText(chat("a"), "session-a.jsonl"), path: "chats/b/a.jsonl" },
    { ...sourceText(chat("b"), "session-b.jsonl"), path: "chats/a/b.jsonl" },
    { ...sourceText(chat("c"), "session-c.jsonl"), path: "chats/c/c.jsonl" },
  ];
  const { records, warnings } = await recordsOf(geminiCli, files);
  const sessions = assemble(records).map(({ session_id, conversations }) => [
    session_id,
    conversations.flatMap(({ steps }) => steps).filter(({ label }) => label === "assistant_call")
      .length,
  ]);
  expect(sessions).toEqual([
    ["a", 2],
    ["c", 1],
  ]);
  expect(warnings.filter((line) => line.includes("in a circle")).map((line) => line[0])).toEqual([
    "a",
    "c",
  ]);
});

test("a sub-agent that no call names is that of the one that asked it what it begins with", async () => {
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  const call = (id: string, prompt: string) => ({
    id,
    name: "invoke_agent",
    args: { agent_name: "reader", prompt },
  });
  const main = [
    { sessionId: "g", projectHash: "p", kind: "main" },
    said("u1", 1, [{ text: "Go." }]),
    {
      ...answered("m1", 2, "I ask."),
      toolCalls: [call("k1", "Look at the tests."), call("k2", "Look at the docs.")],
    },
  ];
  const below = [
    { sessionId: "s", projectHash: "p", kind: "subagent" },
    said("x1", 3, [{ text: "Your task is this:\n<objective>\nLook at the docs.\n</objective>" }]),
    answered("y1", 4, "They are good."),
  ];
  const files = [
    sourceText(main.map(line).join(""), "session-g.jsonl"),
    { ...sourceText(below.map(line).join(""), "s.jsonl"), path: "chats/g/s.jsonl" },
  ];
  const { records, warnings } = await recordsOf(geminiCli, files);
  const [{ agents = [], conversations } = {}] = assemble(records);
  const spawns = conversations
    ?.flatMap(({ steps }) => steps)
    .flatMap(({ edges = [] }) => edges.filter(({ type }) => type === "subagent_spawn"));
  expect(agents.map(({ name, origin }) => [name, origin])).toEqual([
    ["Gemini CLI", undefined],
    ["reader", "inferred"],
  ]);
  expect(spawns?.map(({ origin, confidence }) => [origin, confidence])).toEqual([
    ["inferred", 0.95],
  ]);
  expect(warnings).toContain("g: nothing is there of 1 sub-agent that tool calls asked for");
});

test("an answer that only the history tells, with what it took, is a call", async () => {
  const told = answered("m3", 6, [{ text: "It is a small repo." }]);
  const untold = { ...answered("m9", 7, [{ text: "Of the model's form." }]), tokens: undefined };
  const steps = await stepsOf([
    question,
    look,
    { $set: { messages: [...history, untold] } },
    again,
  ]);
  expect(textsOf(steps, "assistant_call")).toEqual(["I look.", "It is a small repo."]);
  expect(steps).toEqual(
    await stepsOf([question, look, told, { $set: { messages: history } }, again]),
  );
});

test("messages of a history that have no ids are told, once", async () => {
  const [first, second] = [question, again].map((one) => ({ ...one, id: undefined }));
  const steps = await stepsOf([
    { $set: { messages: [first] } },
    { $set: { messages: [first, second] } },
    small,
  ]);
  const call = steps.find(({ label }) => label === "assistant_call");
  expect(call?.payload_started?.["input"]).toHaveLength(2);
});

test("a chat from stdin, which has no name to tell how it is read, is the same as from its file", async () => {
  const chat = "gemini-cli-scripted/session-2026-11-23T04-13-f53d4c00.jsonl";
  const text = readFileSync(new URL(`../../../fixtures/${chat}`, import.meta.url), "utf8");
  const [piped, read] = await Promise.all(
    ["stdin", "session-f53d4c00.jsonl"].map((name) =>
      recordsOf(geminiCli, [sourceText(text, name)]),
    ),
  );
  expect(piped).toEqual(read);
  expect(piped?.records.length).toBeGreaterThan(5);
});

const told = (id: string, seconds: number, type: string, content: string): object => ({
  id,
  timestamp: at(seconds),
  type,
  content,
});
const cancelledCalls = [{ ...toolCalls[0], status: "cancelled" }];

test.each<readonly [string, readonly object[], readonly (string | undefined)[]]>([
  ["cancelled before an answer", [told("i1", 2, "info", "Request cancelled.")], ["aborted"]],
  [
    "cancelled in an answer, by an older version",
    [answered("m2", 3, "I lo"), told("i1", 4, "info", "User cancelled the request.")],
    ["aborted"],
  ],
  [
    "whose tool nobody allowed",
    [answered("m2", 3, "I look.", { toolCalls: cancelledCalls })],
    ["aborted"],
  ],
  [
    "that the provider refused",
    [told("e1", 2, "error", "[API Error: You exceeded your current quota.]")],
    ["error"],
  ],
  ["that failed after a tool", [look, told("e1", 5, "error", "fetch failed")], ["error"]],
  [
    "that failed and was taken up",
    [look, told("e1", 5, "error", "fetch failed"), small],
    ["completed"],
  ],
  [
    "after which a command failed",
    [look, small, told("e1", 7, "error", "Unknown command: /foo")],
    ["completed"],
  ],
  [
    "after which somebody went on",
    [told("i1", 2, "info", "Request cancelled."), again, answered("m5", 9, "It is small.")],
    ["aborted", "completed"],
  ],
])("a run %s has that status", async (_, messages, statuses) => {
  const lines = [{ sessionId: "g1", projectHash: "p" }, question, ...messages];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { records } = await recordsOf(geminiCli, [sourceText(text, "session-g1.jsonl")]);
  const runs = assemble(records).flatMap(({ conversations }) => conversations);
  expect(runs.map(({ status }) => status)).toEqual(statuses);
});

test("a saved conversation of many lines is no list of records: it is parsed once", async () => {
  const parse = vi.spyOn(JSON, "parse");
  const history = Array.from({ length: 500 }, (_, n) => ({
    role: n % 2 === 0 ? "user" : "model",
    parts: [{ text: `${n}` }],
  }));
  const text = JSON.stringify(history, null, 2);
  expect(text.split("\n").length).toBeGreaterThan(3_000);
  await recordsOf(geminiCli, [sourceText(text, "checkpoint-many.json")]);
  // Of its lines, as many are looked at as tell what it is.
  const ofLines = parse.mock.calls.filter(([one]) => one.length < 100).length;
  parse.mockRestore();
  expect(ofLines).toBeLessThan(300);
});
