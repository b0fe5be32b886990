import { join } from "node:path";
import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { directoryWith } from "../../../testing/flow-directory.ts";
import { recordsOf } from "../../../testing/imported-records.ts";
import { filesBelow, sourceFile } from "../source-file.ts";
import { claudeCode } from "./claude-code.ts";

let second = 0;
const line = (record: object) => {
  const at = ++second;
  return `${JSON.stringify({
    uuid: `u${at}`,
    parentUuid: at === 1 ? null : `u${at - 1}`,
    sessionId: "s1",
    timestamp: new Date(Date.UTC(2026, 8, 1) + at * 1_000).toISOString(),
    ...record,
  })}\n`;
};
const said = (content: unknown, more: object = {}) =>
  line({ type: "user", message: { role: "user", content }, ...more });
const answered = (id: string, content: readonly object[], more: object = {}) =>
  line({ type: "assistant", message: { id, role: "assistant", model: "m", content }, ...more });
const agent = (agentId: string, prompt: string) => {
  const more = { isSidechain: true, agentId, parentUuid: null };
  return said(prompt, more) + answered(`msg_${agentId}`, [{ type: "text", text: "Done." }], more);
};
const task = (id: string, prompt: string) => ({
  type: "tool_use",
  id,
  name: "Agent",
  input: { subagent_type: id, prompt },
});
const below = (name: string) => join("s1", "subagents", name);

test("an agent belongs to the call that is noted beside its file, whatever it was told", async () => {
  const dir = directoryWith({
    "s1.jsonl":
      said("Go") +
      answered("msg_1", [task("t1", "Look for bugs."), task("t2", "Count the files.")]),
    [below("agent-a1.jsonl")]: agent("a1", "Count the files."),
    [below("agent-a1.meta.json")]: JSON.stringify({ agentType: "Explore", toolUseId: "t1" }),
    [below("agent-a2.jsonl")]: agent("a2", "Words that the program made itself."),
    [below("agent-a2.meta.json")]: JSON.stringify({ agentType: "Explore", toolUseId: "t2" }),
  });
  const paths = await filesBelow(dir, claudeCode.takes ?? (() => true));
  const files = paths.map((path) => sourceFile(path, path.slice(dir.length + 1)));
  const { records, warnings } = await recordsOf(claudeCode, files);
  const [session] = assemble(records);
  const steps = session?.conversations.flatMap((run) => run.steps) ?? [];
  const spawns = (session?.agents ?? []).flatMap(({ agent_id, spawned_by, origin }) => {
    const asking = steps.find(({ step_id }) => spawned_by?.endsWith(`/${step_id}`));
    return asking === undefined ? [] : [[agent_id, asking.payload_started?.["call_id"], origin]];
  });
  expect(spawns).toEqual([
    ["a1", "t1", "observed"],
    ["a2", "t2", "observed"],
  ]);
  expect(warnings.filter((warning) => warning.includes("asked"))).toEqual([]);
});
