import { assemble } from "@thoughtflow/assemble";
import type { FlowRecord, SpanRecord } from "@thoughtflow/schema";
import { canonicalJson } from "@thoughtflow/schema/canonical";
import { expect, test } from "vitest";
import { toolCallRecord } from "../testing/tool-call-record.ts";
import { writtenBeside } from "../testing/written-beside.ts";

const SPANS = 60_000;

function toolCall(n: number): SpanRecord {
  return toolCallRecord(n, "large", { n });
}

test("a session that needs more memory than its thread was given is written all the same", async () => {
  const records = Array.from({ length: SPANS }, (_, n) => toolCall(n));
  const { session, threads } = await writtenBeside(records, { spans: 4_000 });
  expect(session.totals?.tool_calls).toBe(SPANS);
  expect(threads).toBeGreaterThan(1);
});

/** In runs of fifty, each a trace. */
function inRuns(n: number): FlowRecord {
  return inRunFrom(n - (n % 50), n);
}

function inRunFrom(first: number, n: number): FlowRecord {
  const traceId = String(first).padStart(32, "0");
  return { ...toolCall(n), traceId, ...(n > first && { parentSpanId: toolCall(first).spanId }) };
}

test("a long session of many runs is made stretch by stretch, within the limits of its first thread, and says the same", async () => {
  const records = Array.from({ length: SPANS }, (_, n) => inRuns(n));
  const { text, threads } = await writtenBeside(records, { spans: SPANS });
  expect(threads).toBe(1);
  const [session] = assemble(records);
  expect(text === (session && canonicalJson(session))).toBe(true);
});

/** Calls of a model in runs of ten, each a trace; every call is sent all that was said before it in its run. */
function callInRun(n: number): FlowRecord {
  const turn = n % 10;
  const history = Array.from({ length: turn + 1 }, (_, at) => [
    said("user", `Question ${n - turn + at}?`),
    said("assistant", `Answer ${n - turn + at}.`),
  ]).flat();
  const answer = history.pop() as string;
  return {
    ...inRunFrom(n - turn, n),
    name: "chat",
    attributes: { "session.id": "large", "gen_ai.operation.name": "chat" },
    content: { "gen_ai.input.messages": history, "gen_ai.output.messages": [answer] },
  } as FlowRecord;
}

function said(role: string, content: string): string {
  return JSON.stringify({ role, parts: [{ type: "text", content }] });
}

test("so is one whose calls send all that was said before them in their run", async () => {
  const records = Array.from({ length: 20_000 }, (_, n) => callInRun(n));
  const { text, threads } = await writtenBeside(records, { spans: 20_000 });
  expect(threads).toBe(1);
  const [session] = assemble(records);
  expect(text === (session && canonicalJson(session))).toBe(true);
});

test("a thread that runs out of memory in the midst of a document leaves no file behind", async () => {
  const first = 2_500;
  const records = Array.from({ length: SPANS }, (_, n) =>
    n < first ? inRuns(n) : inRunFrom(first, n),
  );
  const { session, threads, left } = await writtenBeside(records, { spans: 5_000 });
  expect(session.totals?.tool_calls).toBe(SPANS);
  expect(threads).toBeGreaterThan(1);
  expect(left).toBe(0);
});

test("a text that its thread has no room for does not end the process", async () => {
  const words = "слово ".repeat(8_000_000);
  const large = { ...toolCall(1), content: { "gen_ai.tool.call.result": JSON.stringify(words) } };
  const { session, threads } = await writtenBeside([toolCall(0), large as FlowRecord], {
    spans: 2,
  });
  expect(session.conversations.flatMap(({ steps }) => steps)).toHaveLength(4);
  expect(threads).toBe(2);
});

test("a session of a few long texts is not taken for one that could be made stretch by stretch", async () => {
  const { threads } = await writtenBeside([toolCall(0)], { spans: 2, bytes: 32 * 2 ** 20 });
  expect(threads).toBe(1);
});

test("a session that could not be made stretch by stretch is tried again once it has doubled; others are tried", async () => {
  const inOnePiece = { bytesInOnePiece: 0 };
  const threadsFor = async (said: { bytes: number; inOnePiece?: typeof inOnePiece }) =>
    (await writtenBeside([toolCall(0)], { spans: 10_000, ...said })).threads;
  expect(await threadsFor({ bytes: 100, inOnePiece })).toBe(2);
  expect(await threadsFor({ bytes: 199, inOnePiece })).toBe(1);
  expect(await threadsFor({ bytes: 199 })).toBe(2);
  expect(await threadsFor({ bytes: 200, inOnePiece })).toBe(2);
});
