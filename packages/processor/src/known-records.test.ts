import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FlowRecord, Session, SpanRecord } from "@thoughtflow/schema";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createKnownRecords, type KeptRecords, keepRecords } from "./keep-records.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "thoughtflow-known-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const START_S = 1_700_000_000;

interface Told {
  readonly n: number;
  /** Of a run, a number; default 1. */
  readonly run?: number;
  readonly text?: string;
  readonly agent?: string;
  readonly isCall?: boolean;
}

function span({ n, run = 1, text = "", agent, isCall = false }: Told): SpanRecord {
  return {
    type: "span_end",
    traceId: run.toString(16).padStart(32, "0"),
    spanId: n.toString(16).padStart(16, "0"),
    ...(n > 0 && { parentSpanId: "0".repeat(16) }),
    name: "step",
    kind: "internal",
    startTimeUnixNano: `${START_S + n}000000000`,
    endTimeUnixNano: `${START_S + n + 1}000000000`,
    status: { code: "unset" },
    attributes: {
      "session.id": "s",
      "gen_ai.operation.name": n === 0 ? "invoke_agent" : isCall ? "chat" : "execute_tool",
      ...(agent !== undefined && { "gen_ai.agent.id": agent }),
    },
    content: { "gen_ai.tool.call.arguments": JSON.stringify({ text }) },
    events: [],
    links: [],
    scope: { name: "thoughtflow import" },
    resource: {},
  };
}

const ROOT = span({ n: 0, agent: "main" });

function imported(records: readonly FlowRecord[]): Promise<KeptRecords> {
  return keepRecords(dir, records, { known: createKnownRecords(dir) });
}

function session(): Session {
  return JSON.parse(readFileSync(join(dir, "s.json"), "utf8"));
}

/** The texts that tools were given, in order. */
function texts(): readonly unknown[] {
  return session()
    .conversations.flatMap(({ steps }) => steps)
    .filter(({ label }) => label === "tool_call")
    .map(({ payload_started: payload }) => JSON.stringify(payload).match(/"text":"(.*?)"/)?.[1]);
}

function journalBytes(): number {
  const folder = join(dir, ".journal");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".tfj"))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

test("what is told once more adds nothing to the journal, and leaves the files as they are", async () => {
  const records = [ROOT, span({ n: 1, text: "one", agent: "main" })];
  await imported(records);
  const before = [journalBytes(), statSync(join(dir, "s.json")).ino];
  expect(await imported(records)).toEqual({
    records: 2,
    sessions: ["s"],
    unchanged: ["s"],
    failed: [],
  });
  expect([journalBytes(), statSync(join(dir, "s.json")).ino]).toEqual(before);
});

test.each([".json", ".d2", ".svg"])("a %s that is missing is made anew", async (ending) => {
  const records = [ROOT, span({ n: 1, agent: "main" })];
  await imported(records);
  rmSync(join(dir, `s${ending}`));
  expect(await imported(records)).toMatchObject({ sessions: ["s"], unchanged: [] });
  expect(existsSync(join(dir, `s${ending}`))).toBe(true);
});

test("a run that has grown is as if it had been told once", async () => {
  const grown = [
    ROOT,
    span({ n: 1, text: "one", agent: "main" }),
    span({ n: 2, text: "two, answered", agent: "main" }),
    span({ n: 3, text: "three", agent: "main" }),
  ];
  await imported([...grown.slice(0, 2), span({ n: 2, text: "two", agent: "main" })]);
  const { revision } = session();
  expect(await imported(grown)).toMatchObject({ unchanged: [] });
  expect(texts()).toEqual(["one", "two, answered", "three"]);
  expect(session().conflicts).toBeUndefined();
  expect(session().revision).toBeGreaterThan(revision ?? Number.NaN);
  const bytes = journalBytes();
  expect(await imported(grown)).toMatchObject({ unchanged: ["s"] });
  expect(journalBytes()).toBe(bytes);
});

test("a step that the telling of a grown run lacks is gone where its agent's calls are told, or it is of the run's own agent", async () => {
  const before = [
    ROOT,
    span({ n: 1, text: "of a caller", agent: "sub" }),
    span({ n: 2, text: "of the owner", agent: "main" }),
    span({ n: 3, text: "of nobody" }),
    span({ n: 4, text: "of one of whom nothing is told", agent: "other" }),
  ];
  await imported(before);
  await imported([ROOT, span({ n: 5, text: "call", agent: "sub", isCall: true })]);
  expect(texts()).toEqual(["of one of whom nothing is told"]);
});

test("a run of its own whose calls are told in the run that asked for them is gone", async () => {
  const call = { n: 1, agent: "sub", isCall: true };
  const tool = { n: 2, agent: "sub", text: "of the agent" };
  await imported([span({ ...call, run: 2 }), span({ ...tool, run: 2 })]);
  await imported([ROOT, span(call), span(tool)]);
  expect(session().conversations).toHaveLength(1);
  expect(texts()).toEqual(["of the agent"]);
});

test("a call that is told in another run now is gone from the one in which it was heard", async () => {
  const moved = { n: 2, agent: "other", isCall: true };
  await imported([ROOT, span({ n: 1, agent: "main", isCall: true }), span(moved)]);
  await imported([
    ROOT,
    span({ n: 1, agent: "main", isCall: true, text: "otherwise" }),
    span({ ...moved, run: 2 }),
  ]);
  expect(session().conversations.map(({ totals }) => totals?.model_calls)).toEqual([1, 1]);
  expect(session().conflicts).toBeUndefined();
});

test("an older copy takes nothing away", async () => {
  const grown = [ROOT, ...[1, 2].map((n) => span({ n, text: `later ${n}`, agent: "main" }))];
  await imported(grown);
  await imported([ROOT, span({ n: 1, text: "earlier", agent: "main" })]);
  expect(texts()).toContain("later 2");
  expect(session().conflicts).toHaveLength(1);
});

test("a telling without an agent's calls takes nothing from the run in which it was heard", async () => {
  const sub = span({ n: 1, agent: "sub", isCall: true });
  const tool = span({ n: 2, text: "rich", agent: "main" });
  await imported([ROOT, sub, tool, span({ n: 7, run: 2, text: "old" })]);
  await imported([
    ROOT,
    span({ n: 2, text: "poor", agent: "main" }),
    span({ n: 7, run: 2, text: "new" }),
  ]);
  expect(session().conflicts).toHaveLength(1);
  expect(texts().filter((text) => text !== "rich" && text !== "poor")).toEqual(["new"]);
});

test("what others than imports recorded is never taken away", async () => {
  const recorded = { ...span({ n: 1, text: "recorded", agent: "main" }), scope: { name: "app" } };
  await imported([ROOT, recorded]);
  await imported([ROOT, { ...recorded, content: {} }, span({ n: 2, agent: "main" })]);
  expect(session().conflicts).toHaveLength(1);
});

test("a span that came back to what it was keeps what was told of it last", async () => {
  const toldAs = (text: string, ...more: SpanRecord[]): Promise<KeptRecords> =>
    imported([ROOT, span({ n: 1, text, agent: "main" }), ...more]);
  await toldAs("a");
  await toldAs("b");
  await toldAs("a", span({ n: 2, text: "new", agent: "main" }));
  expect(texts()).toEqual(["b", "new"]);
});
