import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { codex } from "./codex.ts";

const ID = "01a206a2-e04e-7cb2-b1c6-9975343de306";
const NAME = `rollout-2026-11-23T04-21-07-${ID}.jsonl`;
const PATH = fileURLToPath(new URL(`../../../fixtures/codex-scripted/${NAME}`, import.meta.url));
const LINES = readFileSync(PATH, "utf8").trimEnd().split("\n");

/** The recorded thread, and in its last turn what versions that keep more write besides. */
async function importedWith(...events: readonly object[]) {
  const told = events.map((payload) =>
    JSON.stringify({ timestamp: "2026-11-23T04:21:09.000Z", type: "event_msg", payload }),
  );
  const lines = [...LINES.slice(0, -1), ...told, ...LINES.slice(-1)];
  const { records, warnings } = await recordsOf(codex, [sourceText(lines.join("\n"), NAME)]);
  const [session] = assemble(records);
  const steps = session?.conversations.flatMap((run) => run.steps) ?? [];
  return { session, steps, warnings };
}

const renamed = (name: string, thread = ID) => ({
  type: "thread_name_updated",
  thread_id: thread,
  thread_name: name,
});

test("a thread is called what it was named last; what another one is named is nothing to it", async () => {
  const { session } = await importedWith(
    renamed("First try"),
    renamed("The long way round"),
    renamed("Elsewhere", "01a206a2-0000-7cb2-b1c6-9975343de306"),
  );
  expect(session?.title).toBe("The long way round");
});

test("what the program's reviewer decided is a step, once", async () => {
  const review = {
    type: "guardian_assessment",
    id: "g1",
    status: "in_progress",
    action: { type: "command", command: "rm -r build" },
  };
  const decision = { ...review, status: "denied", risk_level: "high", rationale: "Nobody asked." };
  const { steps, warnings } = await importedWith(review, decision);
  const { type: name, ...payload } = decision;
  expect(steps.filter(({ payload_started: one }) => one?.["name"] === name)).toMatchObject([
    { label: "generic", payload_started: payload },
  ]);
  expect(warnings.join("\n")).not.toContain("not known to this import");
});

test("that files were set back is a step", async () => {
  const { steps } = await importedWith({
    type: "undo_completed",
    success: false,
    message: "No ghost snapshot available to undo.",
  });
  expect(steps.map(({ payload_started: one }) => one)).toContainEqual({
    name: "undo_completed",
    success: false,
    message: "No ghost snapshot available to undo.",
  });
});

test.each([
  "dynamic_tool_call_request",
  "collab_agent_interaction_end",
  "collab_waiting_end",
  "collab_close_end",
  "collab_resume_end",
])("%s tells what the history tells, and changes nothing", async (type) => {
  const plain = await importedWith();
  const more = await importedWith({ type, call_id: "call_1", status: "running" });
  expect(more.session).toEqual(plain.session);
  expect(more.warnings.join("\n")).not.toContain("not known to this import");
});
