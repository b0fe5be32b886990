import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { codex } from "./codex.ts";

const line = (seconds: number, type: string, payload: object) => ({
  timestamp: new Date(Date.UTC(2026, 5, 30, 10) + seconds * 1_000).toISOString(),
  type,
  payload,
});
const event = (seconds: number, type: string, more: object = {}) =>
  line(seconds, "event_msg", { type, ...more });
const counted = (seconds: number, input_tokens: number) =>
  event(seconds, "token_count", {
    info: {
      total_token_usage: { input_tokens, output_tokens: 5 },
      last_token_usage: { input_tokens: 10, output_tokens: 5 },
    },
  });
const said = (seconds: number, role: "user" | "assistant", text: string) => {
  const content = [{ type: role === "user" ? "input_text" : "output_text", text }];
  return line(seconds, "response_item", { type: "message", role, content });
};

test("a call of a turn that nobody says anything in takes no longer than since the turn began", async () => {
  const lines = [
    line(0, "session_meta", { id: "s" }),
    event(1, "task_started", { turn_id: "t1" }),
    said(1, "user", "Hello?"),
    said(3, "assistant", "Hello."),
    counted(3, 10),
    event(3, "task_complete", { turn_id: "t1" }),
    // Two hours later somebody says /compact.
    event(7_200, "task_started", { turn_id: "t2" }),
    counted(7_209, 20),
    line(7_209, "compacted", { message: "Somebody said hello." }),
    event(7_209, "task_complete", { turn_id: "t2" }),
  ];
  const text = lines.map((one) => `${JSON.stringify(one)}\n`).join("");
  const { records } = await recordsOfText(codex, text);
  const steps = assemble(records).flatMap(({ conversations }) =>
    conversations.flatMap((run) => run.steps),
  );
  const calls = steps.filter(({ label }) => label === "assistant_call");
  expect(calls.map(({ duration_ms }) => duration_ms)).toEqual([2_000, 9_000]);
});
