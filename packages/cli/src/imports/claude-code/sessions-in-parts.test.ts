import { assemble } from "@thoughtflow/assemble";
import type { FlowRecord } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { createImportReport } from "../create-import-report.ts";
import { sourceText } from "../source-file.ts";
import { claudeCode } from "./claude-code.ts";

const idOf = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, "0")}`;

const RECORDS = [
  { type: "user", message: { role: "user", content: "Look." } },
  {
    type: "assistant",
    message: {
      ...{ id: "m1", role: "assistant", model: "claude-opus-5-5" },
      content: [{ type: "tool_use", id: "toolu_1", name: "Agent", input: { prompt: "Search." } }],
    },
  },
  {
    type: "user",
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "found" }],
    },
    toolUseResult: { status: "completed", agentId: "abc" },
  },
  {
    type: "assistant",
    message: {
      ...{ id: "m2", role: "assistant", model: "claude-opus-5-5" },
      content: [{ type: "text", text: "Done." }],
    },
  },
] as const;

const LINES = RECORDS.map((record, nth) =>
  JSON.stringify({
    ...{ uuid: idOf(nth), parentUuid: nth === 0 ? null : idOf(nth - 1) },
    ...{ sessionId: "s1", isSidechain: false },
    timestamp: new Date(Date.UTC(2026, 8, 30, 1, 0, nth)).toISOString(),
    ...record,
  }),
);
const QUEUED = JSON.stringify({
  ...{ type: "queue-operation", operation: "enqueue", sessionId: "s1" },
  ...{ content: "And then?", timestamp: "2026-09-30T01:00:01.500Z" },
});
const AGENT = JSON.stringify({
  ...{ type: "user", uuid: idOf(9), parentUuid: null, sessionId: "s1", isSidechain: true },
  ...{ agentId: "abc", timestamp: "2026-09-30T01:00:01.800Z" },
  message: { role: "user", content: "Another wording." },
});

async function toldBy(...files: readonly (readonly string[])[]) {
  const sources = files.map((lines, nth) => sourceText(`${lines.join("\n")}\n`, `${nth}/s1.jsonl`));
  const { records } = await recordsOf(claudeCode, [
    ...sources,
    sourceText(AGENT, "agent-abc.jsonl"),
  ]);
  return assemble(records);
}

test("a session whose records lie in several files is told as if they lay in one, a tool's result in another than its call", async () => {
  const whole = await toldBy(LINES);
  expect(whole[0]?.conversations.map(({ status }) => status)).toEqual(["completed"]);
  expect(await toldBy(LINES.slice(0, 2), LINES.slice(2))).toEqual(whole);
  expect(await toldBy(LINES.slice(2), LINES.slice(0, 2))).toEqual(whole);
});

test("what a copy of a session's file holds, too, is told once, records without an id among it", async () => {
  const begun = [...LINES.slice(0, 2), QUEUED];
  const whole = await toldBy([...begun, ...LINES.slice(2)]);
  expect(await toldBy(begun, [...begun, ...LINES.slice(2)])).toEqual(whole);
  expect(await toldBy([...begun, ...LINES.slice(2)], begun)).toEqual(whole);
});

test("a part that tells no time keeps none waiting that grow", async () => {
  const mode = JSON.stringify({ type: "permission-mode", permissionMode: "plan", sessionId: "s1" });
  const parts = [[mode], LINES].map((lines, nth) => ({
    ...sourceText(`${lines.join("\n")}\n`, `${nth}/s1.jsonl`),
    isGrowing: true,
  }));
  const report = createImportReport(() => {});
  const records: FlowRecord[] = [];
  for await (const record of claudeCode.read(parts, report, true)) records.push(record);
  expect(records).not.toEqual([]);
});

test("what streams of one session say in the same words, without ids, is said twice", async () => {
  const stream = (id: string) =>
    [
      { type: "system", subtype: "init", session_id: "s1", tools: [], model: "claude-opus-5-5" },
      { type: "user", session_id: "s1", message: { role: "user", content: "Go on." } },
      {
        ...{ type: "assistant", session_id: "s1" },
        message: {
          ...{ id, role: "assistant", model: "claude-opus-5-5" },
          content: [{ type: "text", text: "Done." }],
        },
      },
      { type: "result", subtype: "success", is_error: false, result: "Done.", session_id: "s1" },
    ]
      .map((record) => `${JSON.stringify(record)}\n`)
      .join("");
  const { records } = await recordsOf(claudeCode, [
    sourceText(stream("m1"), "one.jsonl"),
    sourceText(stream("m2"), "two.jsonl"),
  ]);
  const [session] = assemble(records);
  expect(session?.conversations.map(({ status, steps }) => [status, steps.length])).toEqual([
    ["completed", 3],
    ["completed", 3],
  ]);
});
