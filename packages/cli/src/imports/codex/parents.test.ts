import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { agentTreeOf } from "../../../testing/agent-tree.ts";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { codex } from "./codex.ts";

function rollout(
  seconds: number,
  meta: Readonly<Record<"id", string> & Record<string, unknown>>,
  answer: string,
) {
  const at = (more: number) => new Date(Date.UTC(2026, 1, 28, 13) + (seconds + more) * 1_000);
  const line = (more: number, type: string, payload: object) =>
    JSON.stringify({ timestamp: at(more).toISOString(), type, payload });
  const said = (more: number, role: string, type: string, text: string) =>
    line(more, "response_item", { type: "message", role, content: [{ type, text }] });
  const lines = [
    line(0, "session_meta", { timestamp: at(0).toISOString(), ...meta }),
    said(1, "user", "input_text", `${answer}?`),
    said(2, "assistant", "output_text", answer),
  ];
  return sourceText(lines.join("\n"), `rollout-${meta.id}.jsonl`);
}

const MAIN = rollout(0, { id: "main", source: "cli" }, "Main");

test.each([
  ["is of the thread that it was forked from", { forked_from_id: "main" }],
  ["and was forked from none is of its session", { session_id: "main" }],
])("a sub-agent that names no parent %s", async (_, named) => {
  for (const kind of [{ source: { subagent: "review" } }, { thread_source: "subagent" }]) {
    const review = rollout(10, { id: "review", ...kind, ...named }, "Fine");
    const { records } = await recordsOf(codex, [MAIN, review]);
    const sessions = assemble(records);
    expect(sessions.map(({ session_id }) => session_id)).toEqual(["main"]);
    expect(sessions[0]?.totals?.model_calls).toBe(2);
    expect(sessions[0]?.agents?.map(({ agent_id }) => agent_id)).toContain("review");
  }
});

test("a fork of a person's is a session of its own, as is a thread that is its session", async () => {
  const fork = rollout(10, { id: "fork", source: "cli", forked_from_id: "main" }, "Fork");
  const own = rollout(20, { id: "own", session_id: "own", thread_source: "subagent" }, "Own");
  const { records } = await recordsOf(codex, [MAIN, fork, own]);
  const ids = assemble(records).map(({ session_id }) => session_id);
  expect(ids.toSorted()).toEqual(["fork", "main", "own"]);
});

test("a sub-agent that no call asked for is below the thread that it names, be that a sub-agent, too", async () => {
  const subAgent = (other: string) => ({ source: { subagent: { other } } });
  const threads = [
    MAIN,
    rollout(3, { id: "review", source: { subagent: "review" }, forked_from_id: "main" }, "Fine"),
    rollout(4, { id: "guardian", ...subAgent("guardian"), parent_thread_id: "main" }, "Allowed"),
    rollout(5, { id: "below", ...subAgent("summary"), parent_thread_id: "guardian" }, "Short"),
  ];
  expect(await agentTreeOf(codex, threads)).toEqual({
    spawns: ["review < Codex", "sub-agent < Codex", "sub-agent < sub-agent"],
    roots: ["Codex"],
    depth: 2,
    children: 0.75,
  });
  const { records } = await recordsOf(codex, threads);
  const [session] = assemble(records);
  expect(
    session?.agents?.map(({ agent_id, parent_agent_id, spawned_by, origin }) => ({
      agent_id,
      parent: parent_agent_id,
      spawned_by,
      origin,
    })),
  ).toEqual([
    { agent_id: expect.stringMatching(/^agent_/) },
    { agent_id: "review", parent: session?.agents?.[0]?.agent_id, origin: "observed" },
    { agent_id: "guardian", parent: session?.agents?.[0]?.agent_id, origin: "observed" },
    { agent_id: "below", parent: "guardian", origin: "observed" },
  ]);
  // One run, whatever its agents are, each in the span of the one above.
  expect(session?.conversations.map(({ trigger }) => trigger)).toEqual(["user_message"]);
});

test("a sub-agent that only tells its session has nobody above it", async () => {
  const lone = rollout(3, { id: "lone", thread_source: "subagent", session_id: "main" }, "Fine");
  expect(await agentTreeOf(codex, [MAIN, lone])).toMatchObject({
    spawns: [],
    roots: ["Codex", "sub-agent"],
  });
});
