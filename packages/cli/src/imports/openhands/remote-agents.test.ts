import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { openhands } from "./openhands.ts";

type Fields = Readonly<Record<string, unknown>>;

const event = (n: number, kind: string, source: string, fields: Fields) => ({
  id: `e${n}`,
  timestamp: `2026-03-02T10:00:${String(n).padStart(2, "0")}`,
  source,
  kind,
  ...fields,
});

/** What the agent on the other side did: told when it begins, and when it is over. */
const tool = (n: number, id: string, status: string, more: Fields = {}) =>
  event(n, "ACPToolCallEvent", "agent", {
    tool_call_id: id,
    title: "Run ls",
    tool_kind: "execute",
    status,
    raw_input: { command: "ls" },
    is_error: status === "failed",
    ...more,
  });

test("the tools of an agent that works over ACP are told by events of their own, begun and over", async () => {
  const call = { id: "c9", name: "finish", arguments: '{"message":"Two files."}' };
  const events = [
    event(1, "MessageEvent", "user", {
      llm_message: { role: "user", content: [{ type: "text", text: "List the files." }] },
    }),
    tool(2, "t1", "in_progress", { raw_input: null }),
    tool(3, "t2", "pending"),
    tool(4, "t1", "completed", { raw_output: "a\nb" }),
    tool(5, "t2", "failed", { content: [{ type: "content", content: { text: "no ls" } }] }),
    // Only its end is told.
    tool(6, "t3", "completed", { raw_output: { stdout: "c" } }),
    event(7, "ActionEvent", "agent", {
      thought: [],
      tool_name: "finish",
      tool_call_id: "c9",
      tool_call: call,
      llm_response_id: "r9",
    }),
    event(8, "ObservationEvent", "environment", {
      tool_call_id: "c9",
      observation: { content: [{ type: "text", text: "Two files." }] },
    }),
  ];
  const { records, warnings } = await recordsOf(openhands, [
    sourceText(JSON.stringify(events), "events.json"),
  ]);
  const [session] = assemble(records);
  expect(session?.totals).toMatchObject({ tool_calls: 4, errors: 1 });
  const steps = session?.conversations.flatMap((run) => run.steps) ?? [];
  const told = (label: string) => steps.filter((step) => step.label === label).slice(0, 3);
  expect(
    told("tool_call").map(({ payload_started: asked, status, duration_ms: took, error }) => [
      asked?.["name"],
      asked?.["args"],
      status,
      took,
      error?.message,
    ]),
  ).toEqual([
    ["execute", { command: "ls" }, "ok", 2_000, undefined],
    ["execute", { command: "ls" }, "error", 2_000, "no ls"],
    ["execute", { command: "ls" }, "ok", 0, undefined],
  ]);
  expect(told("tool_output").map(({ payload_completed: gave }) => gave?.["result"])).toEqual([
    "a\nb",
    '{"stdout":"c"}',
    "Two files.",
  ]);
  expect(warnings.join()).not.toMatch(/unknown|not known/);
});
