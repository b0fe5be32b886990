import { assemble } from "@thoughtflow/assemble";
import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../testing/imported-records.ts";
import { atif } from "./atif/atif.ts";
import { claudeCode } from "./claude-code/claude-code.ts";
import type { ImportFormat } from "./import-format.ts";
import { sourceText } from "./source-file.ts";

const names = ["pwd", "ls", "cat", "grep", "sort", "find", "wc", "head"];
const timestamp = "2026-03-01T10:00:00.000Z";

const trajectory = {
  schema_version: "ATIF-v1.8",
  session_id: "made",
  agent: { name: "demo", version: "1.0", model_name: "m" },
  steps: [
    { step_id: 1, timestamp, source: "user", message: "Look around." },
    {
      step_id: 2,
      timestamp,
      source: "agent",
      message: "",
      tool_calls: names.map((name) => ({
        tool_call_id: `call ${name}`,
        function_name: name,
        arguments: {},
      })),
      observation: {
        results: names.map((name) => ({ source_call_id: `call ${name}`, content: "done" })),
      },
    },
  ],
};

const transcript = [
  { type: "user", message: { role: "user", content: "Look around." } },
  {
    type: "assistant",
    message: {
      role: "assistant",
      id: "msg_1",
      model: "m",
      content: names.map((name) => ({ type: "tool_use", id: `call ${name}`, name, input: {} })),
    },
  },
  {
    type: "user",
    message: {
      role: "user",
      content: names.map((name) => ({
        type: "tool_result",
        tool_use_id: `call ${name}`,
        content: "done",
      })),
    },
  },
].map((line, at, all) => ({
  ...line,
  uuid: `u${at}`,
  parentUuid: all[at - 1] === undefined ? null : `u${at - 1}`,
  sessionId: "made",
  timestamp,
}));

const imports: readonly (readonly [string, ImportFormat, string, string])[] = [
  ["an ATIF trajectory", atif, "made.json", JSON.stringify(trajectory)],
  [
    "a transcript of Claude Code",
    claudeCode,
    "made.jsonl",
    transcript.map((line) => `${JSON.stringify(line)}\n`).join(""),
  ],
];

test.each(imports)(
  "the calls that one answer of %s asks for stand in its order",
  async (_, format, name, text) => {
    const { records } = await recordsOf(format, [sourceText(text, name)]);
    const sessions = assemble(records) as Session[];
    const calls = sessions
      .flatMap(({ conversations }) => conversations)
      .flatMap(({ steps }) => steps)
      .filter(({ label }) => label === "tool_call");
    expect(calls.map(({ payload_started: payload }) => payload?.["name"])).toEqual(names);
    for (const { duration_ms: duration } of calls) expect(duration).toBeGreaterThanOrEqual(0);
  },
);
