import { assemble } from "@thoughtflow/assemble";
import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../testing/imported-records.ts";
import { specimenOf } from "../../testing/loss-specimen.ts";
import type { ImportFormat } from "./import-format.ts";
import { IMPORT_FORMATS } from "./index.ts";
import { sourceText } from "./source-file.ts";

async function forkOf(format: string, file: string): Promise<Session> {
  const text = specimenOf(format)[file] ?? "";
  return forkIn(format, text);
}

async function forkIn(format: string, text: string): Promise<Session> {
  const files = [sourceText(text, "fork.jsonl")];
  const { records } = await recordsOf(IMPORT_FORMATS[format] as ImportFormat, files);
  const sessions = assemble(records);
  expect(sessions).toHaveLength(1);
  return sessions[0] as Session;
}

test.each([
  ["codex", "rollout-2026-03-01T10-01-00-0198-fork.jsonl", 950, 3],
  ["pi", "2026-03-01_pi-fork.jsonl", 40, 5],
  ["claude-code", "cc-3.jsonl", undefined, 3],
])(
  "what a fork of %s has copied is given to its first own call, and counted where it was done",
  async (format, file, tokens, given) => {
    const { totals, conversations } = await forkOf(format, file);
    expect([totals?.model_calls, totals?.input_tokens]).toEqual([1, tokens]);
    const [call] = conversations
      .flatMap((run) => run.steps)
      .filter(({ label }) => label === "assistant_call");
    expect(call?.payload_started?.["input"]).toHaveLength(given);
  },
);

/** A line of the specimen of a fork, and lines of a tool that failed, which the fork has copied after it. */
const COPIED_TOOLS = {
  codex: [
    '"It is test a."',
    `{"timestamp":"2026-03-01T10:01:00.012Z","type":"response_item","payload":{"type":"function_call","name":"shell","call_id":"c1","arguments":"{}"}}
{"timestamp":"2026-03-01T10:01:00.012Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"a.ts"}}`,
  ],
  "claude-code": [
    '"Answered before."',
    `{"type":"assistant","uuid":"g1","parentUuid":"f2","sessionId":"cc-3","timestamp":"2026-03-01T12:00:02.000Z","forkedFrom":{"sessionId":"cc-1","messageUuid":"a2"},"message":{"id":"msg_f2","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]}}
{"type":"user","uuid":"g2","parentUuid":"g1","sessionId":"cc-3","timestamp":"2026-03-01T12:00:03.000Z","forkedFrom":{"sessionId":"cc-1","messageUuid":"u2"},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"gone","is_error":true}]}}`,
  ],
  pi: ["", ""],
} as const;

test.each([
  ["codex", "rollout-2026-03-01T10-01-00-0198-fork.jsonl"],
  ["claude-code", "cc-3.jsonl"],
  ["pi", "2026-03-01_pi-fork.jsonl"],
] as const)(
  "tools of a history that a fork of %s has copied are not counted again",
  async (format, file) => {
    const [after, copied] = COPIED_TOOLS[format];
    const lines = (specimenOf(format)[file] ?? "").split("\n");
    const at = lines.findIndex((line) => line.includes(after)) + 1;
    const text = copied === "" ? lines : lines.toSpliced(at, 0, copied);
    const { totals, conversations } = await forkIn(
      format,
      text.join("\n").replace('"parentUuid": "f2"', '"parentUuid": "g2"'),
    );
    const tools = conversations
      .flatMap(({ steps }) => steps)
      .filter(({ label }) => label === "tool_call");
    expect(tools.map(({ started_at }) => started_at)).toEqual([undefined]);
    expect([totals?.tool_calls, totals?.errors]).toEqual([0, 0]);
  },
);

const MADE = Date.UTC(2026, 6, 6, 10, 0, 0);

/** An id that begins with its moment, as Codex makes them. */
function idAt(ms: number): string {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

function saidLine(ms: number, role: string, text: string): string {
  const content = [{ type: role === "user" ? "input_text" : "output_text", text }];
  return codexLine(ms, "response_item", { type: "message", role, content });
}

function codexLine(ms: number, type: string, payload: object): string {
  return JSON.stringify({ timestamp: new Date(MADE + ms).toISOString(), type, payload });
}

function tokensLine(ms: number, last: number, total: number): string {
  const info = {
    last_token_usage: { input_tokens: last, output_tokens: 0 },
    total_token_usage: { input_tokens: total, output_tokens: 0 },
  };
  return codexLine(ms, "event_msg", { type: "token_count", info });
}

test("a turn that was begun before the fork was made is a copy of Codex, whatever time its lines bear", async () => {
  const { totals, title } = await forkIn(
    "codex",
    [
      codexLine(0, "session_meta", { id: idAt(MADE), forked_from_id: "old" }),
      codexLine(1, "session_meta", { id: "old" }),
      codexLine(2, "event_msg", { type: "task_started", turn_id: idAt(MADE - 90_000) }),
      saidLine(4_000, "user", "Old question."),
      saidLine(4_001, "assistant", "Old answer."),
      codexLine(4_500, "event_msg", { type: "task_started", turn_id: idAt(MADE + 10) }),
      saidLine(4_501, "user", "New question."),
      saidLine(4_900, "assistant", "New answer."),
    ].join("\n"),
  );
  expect([totals?.model_calls, title]).toEqual([1, "New question."]);
});

const spawned = { subagent: { thread_spawn: { parent_thread_id: "old" } } };

test.each([
  [
    "its lines with the times that they had",
    { id: idAt(MADE), source: spawned },
    [
      saidLine(-9_000, "user", "Old question."),
      saidLine(-8_000, "assistant", "Old answer."),
      tokensLine(-8_000, 10, 10),
    ],
  ],
  [
    "its lines with the time of the copying, the first before any turn",
    { id: idAt(MADE), forked_from_id: "old", source: spawned },
    [
      saidLine(3, "user", "Old question."),
      codexLine(3, "turn_context", { turn_id: idAt(MADE - 9_000) }),
      saidLine(3, "assistant", "Old answer."),
      tokensLine(3, 10, 10),
    ],
  ],
])("a sub-agent of Codex may begin with what its parent was told: %s", async (_, meta, copied) => {
  const { totals } = await forkIn(
    "codex",
    [
      codexLine(0, "session_meta", meta),
      ...copied,
      codexLine(4_000, "turn_context", { turn_id: idAt(MADE + 10) }),
      saidLine(4_001, "user", "New question."),
      saidLine(4_900, "assistant", "New answer."),
      tokensLine(4_900, 7, 17),
    ].join("\n"),
  );
  expect([totals?.model_calls, totals?.input_tokens]).toEqual([1, 7]);
});

const OLD = [
  ["user", "Old question."],
  ["assistant", "Old answer."],
  ["user", "Older question."],
  ["assistant", "Older answer."],
] as const;

/** What was said, each answer with its tokens; `total` tokens were told before. */
function historyAt(ms: number, said: readonly (readonly [string, string])[], total = 0): string[] {
  return said.flatMap(([role, text], nth) => [
    saidLine(ms + nth, role, text),
    ...(role === "assistant" ? [tokensLine(ms + nth, 5, total + 5 * nth)] : []),
  ]);
}

test.each([
  ["a sub-agent that names only its parent", { source: spawned }],
  ["a fork without turn ids", { forked_from_id: "old" }],
])(
  "a copy of Codex with the times of the copying is known by what it says: %s",
  async (_, meta) => {
    const old = [codexLine(-9_000, "session_meta", { id: "old" }), ...historyAt(-8_000, OLD)];
    const own = [
      ["user", "New question."],
      ["assistant", "Old answer."],
    ] as const;
    const copy = [
      codexLine(0, "session_meta", { id: idAt(MADE), ...meta }),
      ...historyAt(3, OLD.slice(0, 2)),
      ...historyAt(4_000, own, 5),
    ];
    const files = [old, copy].map((lines, nth) => sourceText(lines.join("\n"), `${nth}.jsonl`));
    const { records } = await recordsOf(IMPORT_FORMATS["codex"] as ImportFormat, files);
    const totals = assemble(records).map((session) => session.totals);
    const sum = (count: (one: Session["totals"]) => number | undefined) =>
      totals.reduce((all, one) => all + (count(one) ?? 0), 0);
    expect([sum((one) => one?.model_calls), sum((one) => one?.input_tokens)]).toEqual([3, 15]);
  },
);

test("a sub-agent of Codex that was told nothing of its parent keeps its first answer, though its parent said the same", async () => {
  const old = [codexLine(-9_000, "session_meta", { id: "old" }), ...historyAt(-8_000, OLD)];
  const own = [
    ["user", "New question."],
    ["assistant", "Old answer."],
  ] as const;
  const child = [
    codexLine(0, "session_meta", { id: idAt(MADE), source: spawned }),
    ...historyAt(4_000, own),
  ];
  const files = [old, child].map((lines, nth) => sourceText(lines.join("\n"), `${nth}.jsonl`));
  const { records } = await recordsOf(IMPORT_FORMATS["codex"] as ImportFormat, files);
  expect(assemble(records).map(({ totals }) => totals?.model_calls)).toEqual([3]);
});

test("of two sub-agents of Codex that were told and said the same each keeps its call", async () => {
  const child = (id: string) =>
    [
      codexLine(0, "session_meta", { id, source: spawned }),
      saidLine(4_000, "user", "Is it good?"),
      saidLine(4_001, "assistant", "Yes."),
    ].join("\n");
  const old = [codexLine(-9_000, "session_meta", { id: "old" }), ...historyAt(-8_000, OLD)];
  const files = [old.join("\n"), child("one"), child("two")].map((text, nth) =>
    sourceText(text, `${nth}.jsonl`),
  );
  const { records } = await recordsOf(IMPORT_FORMATS["codex"] as ImportFormat, files);
  expect(assemble(records).map(({ totals }) => totals?.model_calls)).toEqual([4]);
});

test("an event of Codex that tells the account's limits alone ends no answer", async () => {
  const { totals } = await forkIn(
    "codex",
    [
      codexLine(0, "session_meta", { id: idAt(MADE) }),
      saidLine(1, "user", "Question."),
      saidLine(2, "assistant", "One."),
      tokensLine(3, 10, 10),
      saidLine(4, "assistant", "Two."),
      codexLine(5, "event_msg", { type: "token_count", info: null, rate_limits: { primary: {} } }),
      tokensLine(6, 20, 30),
    ].join("\n"),
  );
  expect([totals?.model_calls, totals?.input_tokens]).toEqual([2, 30]);
});

test("a thread of Codex that names another one and copied nothing keeps all its calls", async () => {
  const text = specimenOf("codex")["rollout-2026-03-01T10-00-17-0198-deep.jsonl"] ?? "";
  const { totals } = await forkIn("codex", text);
  expect(totals?.model_calls).toBe(1);
});
