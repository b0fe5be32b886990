import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { codex } from "./codex.ts";

const line = (second: number, type: string, payload: object) =>
  JSON.stringify({ timestamp: `2026-03-01T10:00:0${second}.000Z`, type, payload });
const META = line(0, "session_meta", { id: "t1" });
const used = (input: number) => ({
  type: "token_count",
  info: {
    last_token_usage: { input_tokens: input, output_tokens: 1 },
    total_token_usage: { input_tokens: input },
  },
});
const EVENTS = [
  line(1, "event_msg", { type: "user_message", message: "List the files." }),
  line(2, "event_msg", { type: "agent_reasoning", text: "I need ls." }),
  line(2, "event_msg", { type: "exec_command_begin", call_id: "c1", command: ["ls"], cwd: "/w" }),
  line(3, "event_msg", {
    type: "exec_command_end",
    call_id: "c1",
    aggregated_output: "a.ts",
    exit_code: 1,
  }),
  line(3, "event_msg", used(10)),
  line(4, "event_msg", { type: "agent_message", message: "One: a.ts." }),
  line(4, "event_msg", used(20)),
];

async function sessionOf(...lines: readonly string[]) {
  const files = [sourceText([META, ...lines].join("\n"), "rollout-t1.jsonl")];
  const { records } = await recordsOf(codex, files);
  const [session] = assemble(records);
  const steps = session?.conversations.flatMap((run) => run.steps) ?? [];
  return { totals: session?.totals, labels: steps.map(({ label }) => label) };
}

test("a rollout that tells its answers as events alone has its calls, their tokens and tools", async () => {
  const { totals, labels } = await sessionOf(...EVENTS);
  expect(labels.toSorted()).toEqual([
    "assistant_call",
    "assistant_call",
    "assistant_message",
    "thought",
    "tool_call",
    "tool_error",
    "user_message",
  ]);
  expect(totals).toMatchObject({
    model_calls: 2,
    tool_calls: 1,
    errors: 1,
    input_tokens: 30,
    output_tokens: 2,
  });
});

test("events that the history tells, too, are told once", async () => {
  const item = (second: number, role: string, type: string, text: string) =>
    line(second, "response_item", { type: "message", role, content: [{ type, text }] });
  const [asks = "", , , , , says = "", counts = ""] = EVENTS;
  const { totals, labels } = await sessionOf(
    asks,
    item(1, "user", "input_text", "List the files."),
    says,
    item(4, "assistant", "output_text", "One: a.ts."),
    counts,
  );
  expect(labels).toEqual(["user_message", "assistant_call", "assistant_message"]);
  expect(totals).toMatchObject({ model_calls: 1, input_tokens: 20 });
});
