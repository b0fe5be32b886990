import { expect, test } from "vitest";
import {
  type Files,
  type Imported,
  importedInTurn,
  recordings,
} from "../../testing/imported-in-turn.ts";
import { specimenOf } from "../../testing/loss-specimen.ts";

const linesOf = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** A session of Claude Code: its records, each with ids of its own but for those that it is given. */
function transcript(sessionId: string, said: readonly object[]): string {
  const uuidOf = (nth: number) =>
    `${sessionId.padEnd(8, "0")}-0000-4000-8000-${String(nth).padStart(12, "0")}`;
  return linesOf(
    said.map((one, nth) => ({
      ...{ parentUuid: nth === 0 ? null : uuidOf(nth - 1), uuid: uuidOf(nth), sessionId },
      ...{ isSidechain: false, timestamp: new Date(Date.UTC(2026, 0, 1) + nth * 1_000) },
      ...one,
    })),
  );
}

const asked = (content: unknown) => ({ type: "user", message: { role: "user", content } });
const answered = (name: string, part: object) => ({
  type: "assistant",
  requestId: `req_011CVJ517iGrQqjVF${name}`,
  message: {
    ...{ id: `msg_01H4wg8bFy2psdmQvJM${name}`, role: "assistant", model: "claude-opus-4-8" },
    ...{ content: [part], usage: { input_tokens: 100, output_tokens: 10 } },
  },
});
const text = (words: string) => ({ type: "text", text: words });

const COMMON = [
  asked("Is it raining?"),
  answered("aaaa", { type: "tool_use", id: "toolu_01", name: "Bash", input: { command: "look" } }),
  asked([{ type: "tool_result", tool_use_id: "toolu_01", content: "dry" }]),
  answered("bbbb", text("It is dry.")),
];
const MORE = [asked("Thanks."), answered("dddd", text("Welcome."))];
const OTHER = [asked("And tomorrow?"), answered("cccc", text("I can't know."))].map((one, nth) => ({
  ...one,
  timestamp: new Date(Date.UTC(2026, 0, 2) + nth * 1_000),
}));
/** What a fork copies keeps its ids, and says where it comes from. */
const MARKED = COMMON.map((one, nth) => ({
  ...one,
  uuid: `origin00-0000-4000-8000-${String(nth).padStart(12, "0")}`,
  forkedFrom: { sessionId: "origin" },
}));

const ORIGIN = { "origin.jsonl": transcript("origin", [...COMMON, ...MORE]) };

const firstLines = (of: string, count: number) => `${of.split("\n").slice(0, count).join("\n")}\n`;
const codexFiles = specimenOf("codex");
const CODEX = "rollout-2026-03-01T10-00-00-0198-main.jsonl";
const CODEX_FORK = "rollout-2026-03-01T10-01-00-0198-fork.jsonl";
const piFiles = specimenOf("pi");
const PI = "2026-03-01_pi-1.jsonl";
const PI_FORK = "2026-03-01_pi-old-fork.jsonl";
const file = (files: Files, name: string, count?: number): Files => ({
  [name]: count === undefined ? (files[name] ?? "") : firstLines(files[name] ?? "", count),
});

test.each<[string, string, Files, Files]>([
  ["Pi", "pi", file(piFiles, PI), file(piFiles, PI_FORK)],
  ["Pi that nobody went on with", "pi", file(piFiles, PI), file(piFiles, PI_FORK, 4)],
  ["Codex", "codex", file(codexFiles, CODEX), file(codexFiles, CODEX_FORK)],
  [
    "Codex that nobody went on with",
    "codex",
    file(codexFiles, CODEX),
    file(codexFiles, CODEX_FORK, 5),
  ],
  ["Claude Code", "claude-code", ORIGIN, { "b.jsonl": transcript("b", [...MARKED, ...OTHER]) }],
  [
    "Claude Code that nobody went on with",
    "claude-code",
    ORIGIN,
    { "b.jsonl": transcript("b", MARKED) },
  ],
])(
  "in whichever order a fork of %s and what it was made of are imported, each has what was done in it",
  async (_, format, origin, fork) => {
    const { sums } = await importedInTurn(format, { ...origin, ...fork });
    expect((await importedInTurn(format, origin, fork)).sums).toEqual(sums);
    expect((await importedInTurn(format, fork, origin)).sums).toEqual(sums);
    expect((await importedInTurn(format, fork, { ...origin, ...fork })).sums).toEqual(sums);
    expect((await importedInTurn(format, fork, origin, fork)).sums).toEqual(sums);
  },
);

test("a fork that is told as what it was made of is told again by a longer one, and by that itself", async () => {
  const short = { "b.jsonl": transcript("b", MARKED.slice(0, 2)) };
  const long = { "c.jsonl": transcript("c", MARKED) };
  const alone = await importedInTurn("claude-code", short, long);
  expect(alone.sums).toEqual({ origin: [1, 2, 200, 1] });
  const all = await importedInTurn("claude-code", short, long, ORIGIN, short);
  expect(all.sums).toEqual({ origin: [2, 3, 300, 1] });
});

test("a fork of Claude Code that holds what several sessions had tells each as itself, and each gives way to its own file", async () => {
  const middle = [asked("And then?"), answered("eeee", text("Sun."))].map((one, nth) => ({
    ...{ ...one, timestamp: new Date(Date.UTC(2026, 0, 3) + nth * 1_000) },
    ...{ uuid: `middle00-0000-4000-8000-${nth}`, forkedFrom: { sessionId: "middle" } },
  }));
  const fork = { "b.jsonl": transcript("b", [...MARKED, ...middle]) };
  const { sums } = await importedInTurn("claude-code", fork);
  expect(sums).toEqual({ origin: [1, 2, 200, 1], middle: [1, 1, 100, 0] });
  const after = await importedInTurn("claude-code", fork, ORIGIN);
  expect(after.sums).toEqual({ origin: [2, 3, 300, 1], middle: [1, 1, 100, 0] });
});

/** What Claude Code has printed of the latest run of a session. */
const printedBy = (sessionId: string, said: readonly object[]) => ({
  "printed.jsonl": linesOf([
    { type: "system", subtype: "init", session_id: sessionId, model: "claude-opus-4-8" },
    ...said.map((one) => ({ ...one, session_id: sessionId, parent_tool_use_id: null })),
    { type: "result", subtype: "success", is_error: false, session_id: sessionId, result: "" },
  ]),
});
/** The same of Codex, which tells neither ids nor times. */
const printedByCodex = (thread: string) => ({
  "printed.jsonl": linesOf([
    ...[{ type: "thread.started", thread_id: thread }, { type: "turn.started" }],
    { type: "item.completed", item: { id: "item_0", type: "agent_message", text: "Later." } },
    { type: "turn.completed", usage: { input_tokens: 300, output_tokens: 3 } },
  ]),
});

test.each<[string, string, Files, Files, Imported["sums"]]>([
  [
    "Claude Code",
    "claude-code",
    { "b.jsonl": transcript("b", MARKED) },
    printedBy("origin", [answered("dddd", text("Welcome."))]),
    { origin: [2, 3, 300, 1] },
  ],
  [
    "Codex",
    "codex",
    file(codexFiles, CODEX_FORK, 5),
    printedByCodex("0198-main"),
    { "0198-main": [2, 2, 1_200, 0] },
  ],
])(
  "what %s has printed of a session's latest run leaves what a copy of the session tells of those before, in whichever order",
  async (_, format, copy, printed, sums) => {
    expect((await importedInTurn(format, copy, printed)).sums).toEqual(sums);
    expect((await importedInTurn(format, printed, copy)).sums).toEqual(sums);
    expect((await importedInTurn(format, copy, printed, copy, printed)).sums).toEqual(sums);
  },
);

const PRINTED_BY_PI = recordings("pi-headless")["tools.jsonl"] ?? "";
/** What Pi keeps of the same: each message that it printed is an entry. */
const KEPT_BY_PI = PRINTED_BY_PI.split("\n").flatMap((line) => {
  const { type, message, ...head } = JSON.parse(line || "{}");
  if (type === "session") return [{ type, ...head }];
  const timestamp = new Date(message?.timestamp ?? 0);
  return type === "message_end" ? [{ type: "message", timestamp, message }] : [];
});
const GEMINI = { sessionId: "gemini-1", timestamp: "2026-07-07T10:00:01.000Z" };

test.each<[string, string, Files, Files]>([
  ["Codex", "codex", file(codexFiles, CODEX), printedByCodex("0198-main")],
  [
    "Pi",
    "pi",
    {
      "kept.jsonl": linesOf(
        KEPT_BY_PI.map((one, nth) => ({
          ...one,
          ...(nth > 0 && { id: `e${nth}`, parentId: nth > 1 ? `e${nth - 1}` : null }),
        })),
      ),
    },
    { "printed.jsonl": PRINTED_BY_PI },
  ],
  [
    "Gemini CLI",
    "gemini-cli",
    {
      "session-1.json": JSON.stringify({
        ...{ sessionId: GEMINI.sessionId, projectHash: "0" },
        startTime: "2026-07-07T10:00:00.000Z",
        lastUpdated: GEMINI.timestamp,
        messages: [
          { id: "u", timestamp: "2026-07-07T10:00:00.000Z", type: "user", content: "Hello?" },
          {
            id: "a",
            timestamp: GEMINI.timestamp,
            type: "gemini",
            content: "Hi.",
            model: "m",
            tokens: { input: 10, output: 2, total: 12 },
          },
        ],
      }),
    },
    {
      "printed.jsonl": linesOf([
        {
          type: "init",
          timestamp: "2026-07-07T10:00:00.000Z",
          session_id: GEMINI.sessionId,
          model: "m",
        },
        { type: "message", timestamp: "2026-07-07T10:00:00.000Z", role: "user", content: "Hello?" },
        {
          type: "message",
          timestamp: GEMINI.timestamp,
          role: "assistant",
          content: "Hi.",
          delta: true,
        },
        {
          type: "result",
          timestamp: GEMINI.timestamp,
          status: "success",
          stats: { input_tokens: 10, output_tokens: 2, total_tokens: 12 },
        },
      ]),
    },
  ],
])(
  "what %s has printed of a session counts once beside the session's own file, in whichever order, and that is said",
  async (_, format, kept, printed) => {
    const { sums } = await importedInTurn(format, kept);
    expect(Object.keys(sums)).toHaveLength(1);
    expect(Object.keys((await importedInTurn(format, printed)).sums)).toEqual(Object.keys(sums));
    const after = await importedInTurn(format, kept, printed);
    expect(after.sums).toEqual(sums);
    expect(after.said).toContain(`Left out: what was printed of ${Object.keys(sums)[0]}: `);
    const before = await importedInTurn(format, printed, kept);
    expect(before.sums).toEqual(sums);
    expect(before.said).toContain("Replaced: 1 run of ");
    expect((await importedInTurn(format, printed, kept, printed, kept)).sums).toEqual(sums);
  },
);

test("what a copy and what was printed both tell counts once, and gives way to the session's own file", async () => {
  const copy = { "b.jsonl": transcript("b", MARKED) };
  const printed = printedBy("origin", [answered("bbbb", text("It is dry."))]);
  const sums = { origin: [1, 2, 200, 1] };
  expect((await importedInTurn("claude-code", copy, printed)).sums).toEqual(sums);
  expect((await importedInTurn("claude-code", printed, copy)).sums).toEqual(sums);
  const own = { origin: [2, 3, 300, 1] };
  expect((await importedInTurn("claude-code", copy, printed, ORIGIN)).sums).toEqual(own);
  expect((await importedInTurn("claude-code", printed, copy, ORIGIN)).sums).toEqual(own);
});

const COPY = { "copy.jsonl": transcript("copy", [...COMMON, ...OTHER]) };
const TOGETHER = { origin: [2, 3, 300, 1], copy: [1, 1, 100, 0] };

test("a copy that Claude Code doesn't mark counts what both tell once, in the session that was imported first, and that is said", async () => {
  expect((await importedInTurn("claude-code", { ...ORIGIN, ...COPY })).sums).toEqual(TOGETHER);
  const after = await importedInTurn("claude-code", ORIGIN, COPY);
  expect(after.sums).toEqual(TOGETHER);
  const before = await importedInTurn("claude-code", COPY, ORIGIN);
  expect(before.sums).toEqual({ copy: [2, 3, 300, 1], origin: [1, 1, 100, 0] });
  expect(before.said).toContain(
    "origin begins as copy does, which was imported before and has what both tell. Import both at once, and each has what was done in it.",
  );
  // And so when each is imported once more.
  const again = await importedInTurn("claude-code", COPY, ORIGIN, COPY, ORIGIN);
  expect(again.sums).toEqual(before.sums);
});

test("a copy is known whatever title its origin has", async () => {
  const titled = { type: "custom-title", customTitle: "łong ".repeat(20_000), sessionId: "origin" };
  const origin = { "origin.jsonl": `${ORIGIN["origin.jsonl"]}${JSON.stringify(titled)}\n` };
  expect((await importedInTurn("claude-code", origin, COPY)).sums).toEqual(TOGETHER);
});

test("a copy of a copy that Claude Code doesn't mark has its own calls alone, whichever of them was imported before", async () => {
  const own = [asked("Still?"), answered("ffff", text("Yes."))].map((one, nth) => ({
    ...{ ...one, timestamp: new Date(Date.UTC(2026, 0, 3) + nth * 1_000) },
  }));
  const last = { "last.jsonl": transcript("last", [...COMMON, ...OTHER, ...own]) };
  const { sums } = await importedInTurn("claude-code", { ...ORIGIN, ...COPY, ...last });
  expect(sums).toEqual({ ...TOGETHER, last: [1, 1, 100, 0] });
  expect((await importedInTurn("claude-code", ORIGIN, COPY, last)).sums).toEqual(sums);
  const before = await importedInTurn("claude-code", ORIGIN, last, COPY);
  expect(before.sums).toEqual({ origin: [2, 3, 300, 1], last: [2, 2, 200, 0] });
});

test("a copy that begins with the summary of what its origin had said by then has its own calls, after that", async () => {
  const summary = {
    ...asked("This session is being continued. Is it raining? It is dry."),
    isCompactSummary: true,
  };
  const later = (one: object, nth: number) => ({
    ...one,
    uuid: `summary0-0000-4000-8000-${String(nth).padStart(12, "0")}`,
    timestamp: new Date(Date.UTC(2026, 0, 1, 1) + nth * 1_000),
  });
  const further = [summary, ...MORE].map(later);
  const origin = { "origin.jsonl": transcript("origin", [...COMMON, ...further]) };
  const copy = { "copy.jsonl": transcript("copy", [...further, ...OTHER]) };
  const { sums } = await importedInTurn("claude-code", { ...origin, ...copy });
  expect(sums).toEqual({ origin: [2, 3, 300, 1], copy: [1, 1, 100, 0] });
  expect((await importedInTurn("claude-code", origin, copy)).sums).toEqual(sums);
  const both = await importedInTurn("claude-code", copy, { ...origin, ...copy });
  expect(both.sums).toEqual(sums);
});

test("both imported at once, each of such sessions has what was done in it, whatever was imported before", async () => {
  const both = { ...ORIGIN, ...COPY };
  for (const before of [[COPY], [COPY, ORIGIN], [ORIGIN, COPY]])
    expect((await importedInTurn("claude-code", ...before, both)).sums).toEqual(TOGETHER);
});

test("what was copied without a mark of Codex counts once as soon as both are imported at once", async () => {
  const line = (ms: number, type: string, payload: object) => ({
    ...{ timestamp: new Date(Date.UTC(2026, 6, 6, 10) + ms), type, payload },
  });
  const said = (ms: number, role: string, words: string) => {
    const content = [{ type: role === "user" ? "input_text" : "output_text", text: words }];
    return line(ms, "response_item", { type: "message", role, content });
  };
  const history = (ms: number) => [
    said(ms, "user", "Which files?"),
    said(ms + 1, "assistant", "Two files."),
  ];
  const own = [said(4_000, "user", "And now?"), said(4_001, "assistant", "Three.")];
  const origin = {
    "rollout-old.jsonl": linesOf([line(-9_000, "session_meta", { id: "old" }), ...history(-8_000)]),
  };
  const fork = {
    "rollout-fork.jsonl": linesOf([
      line(0, "session_meta", { id: "fork", forked_from_id: "old" }),
      ...history(3),
      ...own,
    ]),
  };
  const together = await importedInTurn("codex", { ...origin, ...fork });
  expect(together.sums).toEqual({ old: [1, 1, undefined, 0], fork: [1, 1, undefined, 0] });
  const mended = await importedInTurn("codex", fork, origin, { ...origin, ...fork });
  expect(mended.sums).toEqual(together.sums);
  expect(mended.said).toContain("Replaced: 1 run of fork");
});

test.each([
  ["codex", "codex-scripted"],
  ["opencode", "opencode-scripted"],
  ["gemini-cli", "gemini-cli-scripted"],
])(
  "sub-agents of %s that are imported by themselves, before or after all, count once",
  async (format, folder) => {
    const all = recordings(folder);
    const each = Object.entries(all).map(([name, content]) => ({ [name]: content }));
    const { sums } = await importedInTurn(format, all);
    const before = await importedInTurn(format, ...each, all);
    expect(before.sums).toEqual(sums);
    const after = await importedInTurn(format, all, ...each);
    expect(after.sums).toEqual(sums);
    expect(after.said).toContain("is left out: it is a sub-agent of");
  },
);

test("a fork of Claude Code counts what it has copied once, whatever ids the provider gives, and with its origin's sub-agents", async () => {
  const all = recordings("claude-code-scripted");
  const { sums } = await importedInTurn("claude-code", all);
  const fork = Object.entries(all).filter(([name]) => name.startsWith("4ad5abee"));
  const others = Object.entries(all).filter(([name]) => !name.startsWith("4ad5abee"));
  const [first, then] = [fork, others].map((files) => Object.fromEntries(files));
  expect((await importedInTurn("claude-code", then ?? {}, first ?? {})).sums).toEqual(sums);
  const sumOf = (all: Imported["sums"], nth: number) =>
    Object.values(all).reduce((sum, counts) => sum + (counts[nth] ?? 0), 0);
  const before = (await importedInTurn("claude-code", first ?? {}, then ?? {})).sums;
  for (const nth of [1, 2, 3]) expect(sumOf(before, nth)).toBe(sumOf(sums, nth));
  expect((await importedInTurn("claude-code", first ?? {}, all)).sums).toEqual(sums);
});

test("sub-agents of sub-agents that are imported after all count once, and those that were not there are told", async () => {
  const thread = (id: string, ms: number, parent?: string): Files => {
    const line = (after: number, type: string, payload: object) => ({
      ...{ timestamp: new Date(Date.UTC(2026, 6, 6, 10) + ms + after), type, payload },
    });
    const message = (after: number, role: string, type: string) =>
      line(after, "response_item", { type: "message", role, content: [{ type, text: id }] });
    const spawn = { subagent: { thread_spawn: { parent_thread_id: parent, depth: 1 } } };
    const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };
    return {
      [`rollout-${id}.jsonl`]: linesOf([
        line(0, "session_meta", { id, ...(parent !== undefined && { source: spawn }) }),
        message(1, "user", "input_text"),
        message(parent === undefined ? 900 : 2, "assistant", "output_text"),
        line(901, "event_msg", { type: "token_count", info: { last_token_usage: usage } }),
      ]),
    };
  };
  const top = thread("top", 0);
  const agent = thread("agent", 100, "top");
  const below = thread("below", 200, "agent");
  const all = { ...top, ...agent, ...below };
  const imported = async (...folders: readonly Files[]) =>
    (await importedInTurn("codex", ...folders)).sums;
  const sums = { top: [1, 3, 300, 0] };
  expect(await imported(all)).toEqual(sums);
  expect(await imported(all, below)).toEqual(sums);
  expect(await imported(all, agent, below)).toEqual(sums);
  expect(await imported(all, { ...agent, ...below })).toEqual(sums);
  expect(await imported(below, { ...agent, ...below }, top, all)).toEqual(sums);
  const apart = { top: [1, 2, 200, 0], below: [1, 1, 100, 0] };
  const before = { ...top, ...agent };
  expect(await imported(before, below, { ...agent, ...below })).toEqual(apart);
  expect(await imported(before, { ...agent, ...below })).toEqual(apart);
  expect(await imported(before, { ...agent, ...below }, all)).toEqual(sums);
});

test("a session whose id is a secret is told once, also where its file was imported before", async () => {
  const secret = "sk-proj-0001AbCdEf0123456789xyzQWERTYuiop";
  const files = { "one.jsonl": transcript(secret, [...COMMON, ...MORE]) };
  const { sums } = await importedInTurn("claude-code", files);
  expect((await importedInTurn("claude-code", files, files)).sums).toEqual(sums);
  const shorter = { "one.jsonl": transcript(secret, COMMON) };
  expect((await importedInTurn("claude-code", shorter, files)).sums).toEqual(sums);
});
