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
  /** When it ends, seconds after the start; default 1 later than it began, `null`: it goes on. */
  readonly end?: number | null;
  /** Of a run, a number; default 1. */
  readonly run?: number;
  readonly text?: string;
  readonly agent?: string;
  readonly isCall?: boolean;
}

function span({ n, end = n + 1, run = 1, text = "", agent, isCall = false }: Told): SpanRecord {
  return {
    type: end === null ? "span_start" : "span_end",
    traceId: run.toString(16).padStart(32, "0"),
    spanId: n.toString(16).padStart(16, "0"),
    ...(n > 0 && { parentSpanId: "0".repeat(16) }),
    name: "step",
    kind: "internal",
    startTimeUnixNano: `${START_S + n}000000000`,
    ...(end !== null && { endTimeUnixNano: `${START_S + end}000000000` }),
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

function imported(records: Iterable<FlowRecord>): Promise<KeptRecords> {
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
    erased: [],
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

test("of a session that was erased nothing is written again", async () => {
  const records = [ROOT, span({ n: 1, text: "a secret", agent: "main" })];
  await keepRecords(dir, [{ type: "tombstone", sessionId: "s" }]);
  expect(await imported(records)).toMatchObject({ sessions: [], erased: ["s"] });
  const folder = join(dir, ".journal");
  const words = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  expect(words.join()).not.toContain("a secret");
  expect(existsSync(join(dir, "s.json"))).toBe(false);
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
  await imported([
    ROOT,
    span({ n: 5, text: "call", agent: "sub", isCall: true }),
    span({ n: 6, text: "later", agent: "main" }),
  ]);
  expect(texts()).toEqual(["of one of whom nothing is told", "later"]);
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

const GROWN = [ROOT, ...[1, 2].map((n) => span({ n, text: `later ${n}`, agent: "main" }))];

test.each([
  ["with fewer spans", [ROOT, span({ n: 1, text: "earlier", agent: "main" })]],
  ["of which the last had no result yet", [ROOT, span({ n: 2, end: 2, text: "e", agent: "main" })]],
])("an older copy %s takes nothing away, nor the place of anything", async (_, older) => {
  await imported(GROWN);
  await imported(older);
  expect(texts()).toEqual(["later 1", "later 2"]);
  expect(session().conflicts).toBeUndefined();
});

test("of formats without times an older copy takes nothing away either", async () => {
  const placed = GROWN.map((record, n) => ({
    ...record,
    startTimeUnixNano: `${n}`,
    endTimeUnixNano: `${n}`,
  }));
  await imported(placed);
  await imported(placed.slice(0, 2));
  expect(texts()).toEqual(["later 1", "later 2"]);
});

test("an older copy of an agent's file takes nothing away from the agent, while the run goes on", async () => {
  const sub = (n: number) => span({ n, text: `of sub ${n}`, agent: "sub", isCall: n === 1 });
  const root = (end: number) => span({ n: 0, end, agent: "main" });
  await imported([root(4), sub(1), sub(2)]);
  await imported([root(9), sub(1), span({ n: 8, text: "of main", agent: "main" })]);
  expect(texts()).toEqual(["of sub 2", "of main"]);
});

test("a span that is left open takes no ended one's place, as while its file is followed", async () => {
  await imported(GROWN);
  await imported(
    GROWN.map((record) => span({ n: Number(record.spanId), end: null, agent: "main" })),
  );
  await imported(GROWN);
  expect(texts()).toEqual(["later 1", "later 2"]);
  expect(session().status).toBe("completed");
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

test("a session that is told as a part of another one goes with its files, but for what others than imports recorded", async () => {
  const givenWay = async (): Promise<void> => {
    const known = createKnownRecords(dir);
    known.giveWay("s");
    await keepRecords(dir, [], { known });
  };
  await imported([ROOT, span({ n: 1, isCall: true })]);
  await givenWay();
  expect(existsSync(join(dir, "s.json"))).toBe(false);

  const recorded = { ...span({ n: 2, run: 2, isCall: true }), scope: { name: "test" } };
  await imported([span({ n: 3, isCall: true }), recorded]);
  await givenWay();
  expect(session().totals?.model_calls).toBe(1);
});

test("a span that came back to what it was is as it was told last", async () => {
  const toldAs = (text: string, ...more: SpanRecord[]): Promise<KeptRecords> =>
    imported([ROOT, span({ n: 1, text, agent: "main" }), ...more]);
  const revisions: unknown[] = [];
  for (const text of ["a", "b", "a", "b"]) {
    await toldAs(text);
    expect(texts()).toEqual([text]);
    expect(session().conflicts).toBeUndefined();
    revisions.push(session().revision);
  }
  expect(revisions.toSorted((a, b) => Number(a) - Number(b))).toEqual(revisions);
  expect(new Set(revisions).size).toBe(4);
  expect(await toldAs("b")).toMatchObject({ unchanged: ["s"] });
});

test("a span that was missing for a while is there again", async () => {
  const [one, two] = [1, 2].map((n) => span({ n, text: `${n}`, agent: "main" })) as [
    SpanRecord,
    SpanRecord,
  ];
  await imported([ROOT, one, two]);
  await imported([ROOT, two]);
  expect(texts()).toEqual(["2"]);
  await imported([ROOT, one]);
  expect(texts()).toEqual(["1", "2"]);
});

test("of spans that come in several requests none takes the place of others", async () => {
  const some = (records: readonly FlowRecord[]) =>
    keepRecords(dir, records, { known: createKnownRecords(dir, { isPartial: true }) });
  await some([ROOT, span({ n: 1, text: "one", agent: "main", isCall: true })]);
  await some([span({ n: 2, text: "two", agent: "main" })]);
  await some([ROOT, span({ n: 3, text: "three", agent: "main" })]);
  expect(session().conversations[0]?.steps.map(({ span_id: id }) => Number(id))).toEqual(
    expect.arrayContaining([1, 2, 3]),
  );
});

test("what an import that broke off had told already is in the document after the next one", async () => {
  const news = [ROOT, span({ n: 1, text: "one", agent: "main" })];
  await imported([ROOT]);
  function* broken(): Generator<FlowRecord> {
    yield* news;
    throw new Error("the file can't be read");
  }
  await expect(imported(broken())).rejects.toThrow("the file can't be read");
  await imported(news);
  expect(texts()).toEqual(["one"]);
});

test("of a run of two agents the calls of one are gone that are told in another run now, and those of the other stay", async () => {
  const calls = ["sub", "other"].map((agent, n) => ({ n: n + 1, agent, isCall: true }));
  await imported(calls.map((call) => span({ ...call, run: 2 })));
  await imported([ROOT, ...calls.slice(1).map(span)]);
  expect(session().conversations.map(({ totals }) => totals?.model_calls)).toEqual([1, 1]);
});

const CONTINUING: SpanRecord = {
  ...span({ n: 9, run: 3, agent: "main", isCall: true }),
  attributes: {
    ...span({ n: 9, agent: "main", isCall: true }).attributes,
    "thoughtflow.depends_on": [`${"f".repeat(32)}/s_${"f".repeat(16)}`],
    "thoughtflow.depends_on.types": ["continues"],
  },
};

test.each<[string, readonly number[], number]>([
  ["what is known to be told there is gone, and nothing else that is as old", [1], 2],
  ["what is older is gone where nothing but that tells of copies", [], 1],
])("of a session that goes on from another one %s", async (_, copied, left) => {
  await imported([1, 2].map((n) => span({ n, run: n, agent: "main", isCall: true })));
  const known = createKnownRecords(dir);
  for (const n of copied) known.tellElsewhere("s", span({ n }).spanId);
  await keepRecords(dir, [CONTINUING], { known });
  expect(session().totals?.model_calls).toBe(left);
});

test("of a run that goes on after what was copied, that alone is gone, with its tools", async () => {
  await imported([
    ROOT,
    ...[1, 3].map((n) => span({ n, agent: "main", isCall: true })),
    ...[2, 4].map((n) => span({ n, text: `${n}`, agent: "main" })),
  ]);
  const known = createKnownRecords(dir);
  known.tellElsewhere("s", span({ n: 1 }).spanId);
  await keepRecords(dir, [], { known });
  expect([session().totals?.model_calls, texts()]).toEqual([1, ["4"]]);
});

test.each(["first", "last"])(
  "a trace of which the root alone, told %s, names the session makes no second one when it is told again",
  async (place) => {
    const { "session.id": _, ...attributes } = span({ n: 1 }).attributes;
    const child = { ...span({ n: 1 }), attributes };
    const told = place === "first" ? [ROOT, child] : [child, ROOT];
    await imported(told);
    const before = readdirSync(dir).sort();
    const document = session();
    const { sessions } = await imported(told);
    expect(sessions).toEqual(["s"]);
    expect(readdirSync(dir).sort()).toEqual(before);
    expect(session()).toEqual(document);
  },
);
