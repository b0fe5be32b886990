import { readFileSync } from "node:fs";
import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { pi } from "./pi.ts";

const printed = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/pi-headless/${name}.jsonl`, import.meta.url), "utf8");

async function imported(files: Readonly<Record<string, string>>) {
  const sources = Object.entries(files).map(([name, text]) => sourceText(text, name));
  const { records, warnings } = await recordsOf(pi, sources);
  return { records, sessions: assemble(records), warnings };
}

test("of a session whose file is there, what was printed counts no second time, and that is told", async () => {
  const lines = printed("plain").trimEnd().split("\n");
  const messages = lines
    .map((line) => JSON.parse(line) as { readonly type: string; readonly message: object })
    .filter(({ type }) => type === "message_end")
    .map(({ message }, n) =>
      JSON.stringify({ type: "message", id: `e${n}`, timestamp: "2026-11-24T05:01:40Z", message }),
    );
  const kept = [lines[0], ...messages].join("\n");
  const alone = await imported({ "kept.jsonl": kept });
  const both = await imported({ "ci.jsonl": printed("plain"), "kept.jsonl": kept });
  expect(alone.sessions.map(({ totals }) => totals?.model_calls)).toEqual([1]);
  expect(both.sessions).toEqual(alone.sessions);
  expect(both.warnings).toContain(
    "Left out: 1 × stream of a session: its file is here, and tells more.",
  );
});

test("of an answer that was cut off, what had come of it is kept", async () => {
  const lines = printed("killed").split("\n");
  const cut = lines
    .slice(
      0,
      lines.findIndex((line) => line.includes('"text_end"')),
    )
    .join("\n");
  const { sessions } = await imported({ "ci.jsonl": cut });
  const steps = sessions.flatMap(({ conversations }) =>
    conversations.flatMap(({ status, steps }) => [status, ...steps.map(({ label }) => label)]),
  );
  expect(steps).toEqual([
    "abandoned",
    "user_message",
    "assistant_call",
    "assistant_message",
    "tool_call",
  ]);
});

test("what several processes have printed into one file is read as if each had its own", async () => {
  const apart = await imported({ "a.jsonl": printed("plain"), "b.jsonl": printed("fails") });
  const one = await imported({ "ci.log": printed("plain") + printed("fails") });
  const shapes = ({ sessions }: typeof one) =>
    sessions.map(({ session_id, status, totals }) => [session_id, status, totals]);
  expect(shapes(one)).toEqual(shapes(apart));
  expect(one.sessions).toHaveLength(2);
});

// As Pi 1.2.0 prints it.
test("an answer ends, and a tool begins, as long after and before its time as they say that they lasted", async () => {
  const at = Date.UTC(2026, 2, 1, 10);
  const call = { type: "toolCall", id: "t1", name: "bash", arguments: { command: "echo hi" } };
  const answer = { role: "assistant", provider: "openai", model: "m", thinkingLevel: "low" };
  const events = [
    { type: "session", version: 3, id: "s", timestamp: "2026-03-01T10:00:00.000Z", cwd: "/work" },
    ...[
      { role: "user", content: "Say hi.", timestamp: at },
      { ...answer, content: [call], timestamp: at + 10, durationMs: 3_990, stopReason: "toolUse" },
      {
        ...{ role: "toolResult", toolCallId: "t1", toolName: "bash", isError: false },
        ...{ content: [{ type: "text", text: "hi" }], timestamp: at + 4_100, durationMs: 80 },
      },
      {
        ...{ ...answer, content: [{ type: "text", text: "Done." }], stopReason: "stop" },
        ...{ timestamp: at + 4_102, durationMs: 2_000 },
      },
    ].map((message) => ({ type: "message_end", message })),
    { type: "agent_settled", aborted: false },
  ];
  const text = events.map((event) => JSON.stringify(event)).join("\n");
  const { records, sessions, warnings } = await imported({ "ci.jsonl": text });
  const steps = sessions.flatMap(({ conversations }) => conversations.flatMap((run) => run.steps));
  const timed = steps.filter(({ label }) => label === "assistant_call" || label === "tool_call");
  expect(timed.map(({ label, duration_ms: ms }) => [label, ms])).toEqual([
    ["assistant_call", 3_990],
    ["tool_call", 80],
    ["assistant_call", 2_000],
  ]);
  expect(timed[1]?.started_at).toBe("2026-03-01T10:00:04.020Z");
  const levels = records.map(
    (record) => "attributes" in record && record.attributes["gen_ai.request.reasoning.level"],
  );
  expect(levels.filter(Boolean)).toEqual(["low", "low"]);
  expect(warnings.join()).not.toMatch(/not known|can't be read/);
});
