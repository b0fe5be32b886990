import { readFileSync } from "node:fs";
import { assemble } from "@thoughtflow/assemble";
import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { opencode } from "./opencode.ts";

const printed = (name: string): string =>
  readFileSync(
    new URL(`../../../fixtures/opencode-headless/${name}.jsonl`, import.meta.url),
    "utf8",
  );

async function imported(files: Readonly<Record<string, string>>) {
  const sources = Object.entries(files).map(([name, text]) => sourceText(text, name));
  const { records, warnings } = await recordsOf(opencode, sources);
  return { sessions: assemble(records), warnings };
}

const TIME = 1_795_534_400_000;
let count = 0;

function event(type: string, more: object): string {
  count++;
  return `${JSON.stringify({ type, timestamp: TIME + count, sessionID: "ses_x", ...more })}\n`;
}

const part = (messageID: string, type: string, more: object = {}) => ({
  part: { id: `prt_${String(count).padStart(4, "0")}`, messageID, type, ...more },
});
const started = (id: string) => event("step_start", part(id, "step-start"));
const said = (id: string, text: string) => event("text", part(id, "text", { text }));
const finished = (id: string, reason: string) =>
  event("step_finish", part(id, "step-finish", { reason }));
const failed = () => event("error", { error: { name: "APIError", data: { message: "No." } } });

const runsOf = ({ conversations }: Session) =>
  conversations.map(({ status, steps }) => [
    status,
    ...steps
      .filter(({ label }) => label === "assistant_message")
      .map(({ payload_completed: told }) => told?.["text"]),
  ]);

test("a call begins when its answer's id was made, which is before anything of it was printed", async () => {
  const { sessions } = await imported({ "a.jsonl": printed("plain") });
  const [call] = sessions.flatMap(({ conversations }) =>
    conversations.flatMap(({ steps }) => steps.filter(({ label }) => label === "assistant_call")),
  );
  expect([call?.started_at, call?.duration_ms]).toEqual(["2026-11-24T15:32:52.628Z", 4294]);
});

test("two processes that print into one file at once are a run each", async () => {
  const other = (line: string) => line.replace('"ses_x"', '"ses_y"');
  const lines = [
    started("m1"),
    other(started("m2")),
    said("m1", "One."),
    other(said("m2", "Two.")),
    finished("m1", "stop"),
    other(finished("m2", "stop")),
  ];
  const { sessions } = await imported({ "a.jsonl": lines.join("") });
  expect(sessions.map(runsOf)).toEqual([[["completed", "One."]], [["completed", "Two."]]]);
});

test("the processes of one session are runs in the order in which they began, whatever the files are called", async () => {
  const { sessions } = await imported({ "a.jsonl": printed("again"), "b.jsonl": printed("plain") });
  expect(sessions.map(runsOf)).toEqual([
    [
      ["completed", "Four."],
      ["completed", "Four, as I said.", "And a file is here."],
    ],
  ]);
});

test("what several processes have printed into one file is read as if each had its own", async () => {
  const apart = await imported({ "a.jsonl": printed("plain"), "b.jsonl": printed("fails") });
  const one = await imported({ "log.jsonl": printed("plain") + printed("fails") });
  expect(one.sessions).toEqual(apart.sessions);
});

test("where a process says that it is done, what follows of its session is another run", async () => {
  const done = event("done", { reason: "idle", rejected: [] });
  const text =
    started("a") +
    said("a", "One.") +
    finished("a", "stop") +
    done +
    started("b") +
    said("b", "Two.");
  const { sessions } = await imported({ "log.jsonl": text });
  expect(sessions.map(runsOf)).toEqual([
    [
      ["completed", "One."],
      ["abandoned", "Two."],
    ],
  ]);
});

test("an error is that of the answer that was being given, else that of another call", async () => {
  const open = await imported({ "log.jsonl": started("a") + said("a", "One.") + failed() });
  const next = await imported({
    "log.jsonl": started("a") + said("a", "One.") + finished("a", "tool-calls") + failed(),
  });
  expect(
    [open, next].map(({ sessions: [one] }) => [one && runsOf(one), one?.totals?.model_calls]),
  ).toEqual([
    [[["error", "One."]], 1],
    [[["error", "One."]], 2],
  ]);
});

test("of a session whose export is there, what was printed counts no second time, and that is told", async () => {
  const info = { id: "ses_x", time: { created: TIME } };
  const message = { info: { id: "a", role: "assistant" }, parts: [{ type: "text", text: "One." }] };
  const kept = JSON.stringify({ info, messages: [message] });
  const alone = await imported({ "export.json": kept });
  const both = await imported({
    "ci.jsonl": started("a") + said("a", "One.") + finished("a", "stop"),
    "export.json": kept,
  });
  expect(both.sessions).toEqual(alone.sessions);
  expect(both.warnings).toContain(
    "Left out: 1 × stream of a session: its export is here, and tells more.",
  );
});

test("lines of another program between are kept as text, and so is one that was cut off", async () => {
  const text = `npm warn deprecated\n${started("a")}${said("a", "One.")}{"level":"info"}\n{"type":"te`;
  const { sessions, warnings } = await imported({ "log.jsonl": text });
  expect(warnings).toEqual(
    expect.arrayContaining([
      "Kept as text: 1 × line that can't be read (it is no JSON).",
      "Kept as text: 1 × line that can't be read (it is no event of opencode).",
      "Kept as text: 1 × line that can't be read (it was cut off).",
    ]),
  );
  expect(JSON.stringify(sessions)).toContain("npm warn deprecated");
});

/** Events as version 2.0 prints them: a tool has the provider's id, and its part another one. */
const toolOf2 = (partID: string, id: string, tool: string, state: object) =>
  event("tool_use", { part: { partID, messageID: "m1", type: "tool", id, tool, state } });
const partOf2 = (id: string, type: string, more: object) => ({
  part: { id, messageID: "m1", type, ...more },
});
const tokens = { input: 100, output: 20, reasoning: 10, cache: { read: 4, write: 2 } };

test.each(["toolu_01", "call_01"])(
  "an answer that version 2.0 printed is one call, with its tools in their order, whatever ids those have: %s",
  async (id) => {
    const time = { start: TIME + count + 2, end: TIME + count + 3 };
    const lines = [
      event("step_start", partOf2("prt_e01", "step-start", {})),
      event("text", partOf2("prt_e02", "text", { text: "I look." })),
      toolOf2("prt_e03", id, "shell", {
        ...{ status: "completed", input: { command: "false" }, output: "no", time },
        metadata: { metadata: { exit: 1 }, content: [], rawInput: "{}" },
      }),
      toolOf2("prt_e04", `${id}2`, "read", { status: "error", input: {}, error: "None.", time }),
      event("step_finish", partOf2("prt_e05", "step-finish", { reason: "tool-calls", tokens })),
    ];
    const { sessions } = await imported({ "a.jsonl": lines.join("") });
    expect(sessions.map(({ totals }) => totals)).toMatchObject([
      { model_calls: 1, tool_calls: 2, input_tokens: 106, output_tokens: 30, errors: 2 },
    ]);
    const steps = sessions.flatMap(({ conversations }) =>
      conversations.flatMap((run) => run.steps),
    );
    expect(
      steps.flatMap(({ label, payload_started: told }) =>
        label === "tool_call" ? [told?.["call_id"]] : [],
      ),
    ).toEqual([id, `${id}2`]);
  },
);

test("what went wrong is told as version 2.0 prints it, and that somebody stopped the run", async () => {
  const runOf = async (error: object) => {
    const { sessions } = await imported({ "a.jsonl": started("m1") + event("error", { error }) });
    const [run] = sessions.flatMap(({ conversations }) => conversations);
    return [run?.status, run?.steps.find(({ label }) => label === "assistant_call")?.error];
  };
  expect(await runOf({ type: "provider.auth", message: "No." })).toEqual([
    "error",
    { type: "provider.auth", message: "No." },
  ]);
  expect((await runOf({ type: "aborted", message: "Session interrupted" }))[0]).toBe("aborted");
});
