import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { assemble } from "@thoughtflow/assemble";
import { canonicalJson, type SpanRecord } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { openaiLog } from "../openai-log/openai-log.ts";
import { proxyLog } from "../proxy-log/proxy-log.ts";
import { sourceText } from "../source-file.ts";
import { isLogName } from "./read-request-logs.ts";

const fixture = new URL("../../../fixtures/proxy-claude-trace/requests.jsonl.gz", import.meta.url);
const unnamed = gunzipSync(readFileSync(fixture)).toString().trim().split("\n");
const named = unnamed.map((line) => {
  const exchange = JSON.parse(line);
  exchange.request.body.metadata = { user_id: "user_1_session_s1" };
  return JSON.stringify(exchange);
});

async function sessionsOf(format: typeof proxyLog, files: Readonly<Record<string, string[]>>) {
  const { records, warnings } = await recordsOf(
    format,
    Object.entries(files).map(([name, lines]) => sourceText(`${lines.join("\n")}\n`, name)),
  );
  return { sessions: assemble(records).map(canonicalJson), records, warnings };
}

test.each([
  ["that names its session", named],
  ["that names none", unnamed],
])("a log %s is one session, wherever it was cut into files", async (_, lines) => {
  const whole = await sessionsOf(proxyLog, { "access.log": lines });
  expect(whole.sessions).toHaveLength(1);
  for (const [first, second] of [
    [6, 14],
    [10, 30],
    [14, 34],
  ] as const) {
    const cut = await sessionsOf(proxyLog, {
      "access.log": lines.slice(second),
      "access.log.1": lines.slice(first, second),
      "access.log.2": lines.slice(0, first),
    });
    expect(cut.sessions).toEqual(whole.sessions);
  }
});

const chat = (seconds: number, said: readonly string[], answer: string, session?: string) =>
  JSON.stringify({
    request: {
      url: "https://api.openai.com/v1/chat/completions",
      timestamp: Date.UTC(2026, 6, 6, 10, 0, seconds),
      body: {
        model: "m",
        messages: said.map((content, n) => ({ role: n % 2 ? "assistant" : "user", content })),
      },
    },
    response: {
      status: 200,
      body: {
        id: `chatcmpl-${seconds}`,
        choices: [{ message: { role: "assistant", content: answer }, finish_reason: "stop" }],
      },
    },
    ...(session && { session }),
  });

test("copies of a log, also of its beginning, tell nothing twice", async () => {
  const lines = [
    chat(0, ["Hi"], "Hello"),
    chat(1, ["Hi", "Hello", "Go on"], "Why not"),
    chat(2, ["Ho"], "Hey"),
  ];
  const whole = await sessionsOf(openaiLog, { "a.jsonl": lines });
  const copied = await sessionsOf(openaiLog, {
    "a (1).jsonl": lines.slice(0, 2),
    "a.jsonl": lines,
    "b.jsonl": lines,
  });
  expect(copied.sessions).toEqual(whole.sessions);
  expect(copied.records).toHaveLength(whole.records.length);
  expect(copied.warnings).toEqual([
    ...whole.warnings,
    "Left out: 5 × exchange that is logged twice.",
  ]);
});

test("files that begin alike and go on each for itself are sessions of their own", async () => {
  const file = (from: number) => [
    chat(from, ["Hi"], "Hello"),
    chat(from + 1, ["Hi", "Hello", "Go on"], "Why not"),
  ];
  const { sessions } = await sessionsOf(openaiLog, { "a.jsonl": file(0), "b.jsonl": file(10) });
  expect(sessions).toHaveLength(2);
});

test("of files that were answered the same at last the one is gone on from whose answers are all there", async () => {
  const file = (from: number, answer: string) => [
    chat(from, ["Hi"], answer),
    chat(from + 1, ["Hi", answer, "Go on"], "Why not"),
  ];
  const { records } = await sessionsOf(openaiLog, {
    "a.jsonl": file(0, "Hello"),
    "b.jsonl": file(10, "Hey"),
    "c.jsonl": [chat(20, ["Hi", "Hello", "Go on", "Why not", "Well"], "Then do")],
  });
  const calls = (records as readonly SpanRecord[]).flatMap((record) =>
    record.type === "span_end" && record.kind === "client"
      ? [[record.attributes["gen_ai.response.id"], record.attributes["session.id"]]]
      : [],
  );
  const sessions = new Map(calls as [string, string][]);
  expect(sessions.get("chatcmpl-20")).toBe(sessions.get("chatcmpl-0"));
  expect(new Set(sessions.values()).size).toBe(2);
});

test("files whose first answers have the same id, as Ollama gives one of a thousand, are sessions of their own", async () => {
  const first = (seconds: number, said: string) =>
    chat(seconds, [said], "Hello").replace(`chatcmpl-${seconds}`, "chatcmpl-777");
  const { sessions } = await sessionsOf(openaiLog, {
    "a.jsonl": [first(0, "Hi")],
    "b.jsonl": [first(10, "Ho")],
  });
  expect(sessions).toHaveLength(2);
});

test("of files that began alike, and were answered alike, the one is gone on from in which the same was asked", async () => {
  const worker = (from: number, item: string) => [
    chat(from, ["Say yes or no", "OK", item], "yes"),
    chat(from + 20, ["Say yes or no", "OK", item, "yes", `no ${item}`], "no"),
  ];
  const [one, two] = [worker(0, "Is 1 odd?"), worker(10, "Is 3 odd?")];
  const { sessions } = await sessionsOf(openaiLog, {
    "one.jsonl.1": one.slice(0, 1),
    "two.jsonl.1": two.slice(0, 1),
    "one.jsonl": one.slice(1),
    "two.jsonl": two.slice(1),
  });
  const whole = await sessionsOf(openaiLog, { "one.jsonl": one, "two.jsonl": two });
  expect(sessions).toEqual(whole.sessions);
});

test("a third file goes on from the second, which goes on from the first", async () => {
  const { sessions } = await sessionsOf(openaiLog, {
    "a.jsonl": [chat(0, ["Hi"], "Hello")],
    "b.jsonl": [chat(1, ["Hi", "Hello", "Go on"], "Why not")],
    "c.jsonl": [chat(2, ["Hi", "Hello", "Go on", "Why not", "Well"], "Then do")],
  });
  expect(sessions).toHaveLength(1);
});

const titlesOf = (records: readonly unknown[], id: (session: string) => boolean) =>
  (records as readonly SpanRecord[]).flatMap((record) =>
    record.type === "span_end" && id(String(record.attributes["session.id"]))
      ? (record.attributes["thoughtflow.session.title"] ?? [])
      : [],
  );

test("beside thousands of sessions what names none stays one, a session that comes back keeps its title, and lines that come twice are dropped", async () => {
  const many = Array.from({ length: 2_001 }, (_, n) =>
    chat(n + 10, [`Question ${n}`], "A", `s${n}`),
  );
  const own = chat(1, ["Who asks?"], "Nobody");
  const back = chat(5_000, ["Question 0", "A", "And then?"], "B", "s0");
  const { sessions, records, warnings } = await sessionsOf(openaiLog, {
    "a.jsonl": [own, ...many, chat(4_000, ["Who asks?", "Nobody", "Nobody?"], "No"), back, own]
      // As it was logged before the session was told to its end.
      .concat(many.slice(0, 1)),
  });
  expect(sessions).toHaveLength(2_002);
  expect(titlesOf(records, (session) => session === "s0")).toEqual(["Question 0"]);
  expect(titlesOf(records, (session) => session.startsWith("openai_"))).toEqual(["Who asks?"]);
  expect(warnings.filter((line) => line.includes("twice"))).toEqual([
    "Left out: 2 × exchange that is logged twice.",
  ]);
});

test("a line that can't be read is kept in each file in which it stands", async () => {
  const { sessions, records } = await sessionsOf(openaiLog, {
    "a.jsonl": ["--- log", chat(0, ["Hi"], "Hello")],
    "b.jsonl": ["--- log", chat(1, ["Hi", "Hello", "Go on"], "Why not")],
  });
  expect(sessions).toHaveLength(1);
  const lines = (records as readonly SpanRecord[]).filter(({ name }) => name === "unreadable line");
  expect(new Set(lines.map(({ spanId }) => spanId)).size).toBe(2);
});

test("parts of a log that was cut are known by their names", () => {
  const names = [
    "a.jsonl",
    "a.json",
    "a.har",
    "access.log",
    "access.log.1",
    "a.jsonl.12",
    "a.log-20260701",
  ];
  expect(names.filter(isLogName)).toEqual(names);
  expect(["a.toml", "a.log.txt", "changelog", "a.jsonl.meta"].filter(isLogName)).toEqual([]);
});
