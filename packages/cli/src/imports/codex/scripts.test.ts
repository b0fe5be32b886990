import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { codex } from "./codex.ts";

const id = (number: number) => `01a00000-0000-7000-8000-00000000000${number}`;
const rollout = (thread: number, meta: object, items: readonly (readonly [string, object])[]) => {
  const lines = [
    ["session_meta", { id: id(thread), cli_version: "0.130.0", ...meta }],
    ["turn_context", { model: "gpt-5.4" }],
    ...items,
  ].map(([type, payload], at) => {
    const timestamp = new Date(Date.UTC(2026, 8, 1, 10, thread, at)).toISOString();
    return `${JSON.stringify({ timestamp, type, payload })}\n`;
  });
  return sourceText(lines.join(""), `rollout-2026-09-01T10-0${thread}-00-${id(thread)}.jsonl`);
};
const message = (role: string, text: string) =>
  ["response_item", { type: "message", role, content: [{ type: "input_text", text }] }] as const;
const script = (call_id: string, input: string) =>
  ["response_item", { type: "custom_tool_call", name: "exec", call_id, input }] as const;
const output = (call_id: string, ...texts: readonly string[]) =>
  [
    "response_item",
    {
      type: "custom_tool_call_output",
      call_id,
      output: texts.map((text) => ({ type: "input_text", text })),
    },
  ] as const;
const child = (thread: number) =>
  rollout(
    thread,
    { source: { subagent: { thread_spawn: { parent_thread_id: id(1), depth: 1 } } } },
    [message("user", "Inspect it."), message("assistant", "It is fine.")],
  );

test.each([
  ["exec_command", "Wall time: 12.3 seconds\naborted by user"],
  ["update_plan", "aborted by user after 5.0s"],
])("a call of %s that somebody stopped has failed", async (name, output) => {
  const call = { type: "function_call", name, call_id: "c1", arguments: "{}" };
  const file = rollout(9, {}, [
    message("user", "Go"),
    ["response_item", call],
    ["response_item", { type: "function_call_output", call_id: "c1", output }],
    ["event_msg", { type: "turn_aborted", reason: "interrupted" }],
  ]);
  const [session] = assemble((await recordsOf(codex, [file])).records);
  const [run] = session?.conversations ?? [];
  const tool = run?.steps.find(({ label }) => label === "tool_call");
  expect([run?.status, tool?.status, tool?.error?.message]).toEqual(["aborted", "error", output]);
});

test("a sub-agent that a script started belongs to the call that ran the script", async () => {
  const parent = rollout(1, {}, [
    message("user", "Go"),
    script("call_1", 'text(await tools.exec_command({cmd: "ls"}))'),
    output("call_1", "Script completed"),
    script("call_2", 'await tools.multi_agent_v1__spawn_agent({message: "Inspect it."})'),
    ["event_msg", { type: "collab_agent_spawn_end", call_id: "exec-77", new_thread_id: id(2) }],
    output("call_2", "Script running with cell ID 7"),
    script("call_3", 'text(await tools.collaboration.spawn_agent({message: "Inspect it."}))'),
    output("call_3", "Script completed", `{"agent_id":"${id(3)}","nickname":"Curie"}`),
    message("assistant", "Done."),
  ]);
  const { records, warnings } = await recordsOf(codex, [parent, child(2), child(3)]);
  const [session] = assemble(records);
  const steps = session?.conversations.flatMap((run) => run.steps) ?? [];
  expect(session?.conversations).toHaveLength(1);
  expect(
    session?.agents?.slice(1).map(({ agent_id, spawned_by, origin }) => {
      const asking = steps.find(({ step_id }) => spawned_by?.endsWith(`/${step_id}`));
      return [agent_id, asking?.payload_started?.["call_id"], origin];
    }),
  ).toEqual([
    [id(2), "call_2", "observed"],
    [id(3), "call_3", "observed"],
  ]);
  expect(warnings.filter((warning) => /asked/.test(warning))).toEqual([]);
});
