import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { opencode } from "./opencode.ts";

const BEGUN = 1_795_472_100_000;
const PROMPT = "Look for what calls the parser, and tell where.";

function exported(id: string, parentID: string | undefined, ...messages: Message[]) {
  const created = messages[0]?.info.time.created ?? BEGUN;
  const time = { created, updated: created };
  return sourceText(JSON.stringify({ info: { id, time, parentID }, messages }), `${id}.json`);
}

function message(id: string, n: number, role: "user" | "assistant", ...parts: readonly object[]) {
  const time = { created: BEGUN + n * 1_000, completed: BEGUN + n * 1_000 + 500 };
  return { info: { id: `msg_${id}_${n}`, role, time }, parts };
}

type Message = ReturnType<typeof message>;

const text = (words: string) => ({ type: "text", text: words });
const task = (callID: string, state: object) => ({
  type: "tool",
  tool: "task",
  callID,
  state: { input: { subagent_type: "explore", description: "look", prompt: PROMPT }, ...state },
});

test("a session whose call does not name it is that of the call of its parent that asked for its words", async () => {
  const { records, warnings } = await recordsOf(opencode, [
    exported(
      "ses_main",
      undefined,
      message("main", 0, "user", text("Go.")),
      // Somebody stopped it.
      message("main", 1, "assistant", task("call_1", { status: "error", error: "aborted" })),
      message("main", 5, "user", text("Once more.")),
      message("main", 6, "assistant", task("call_2", { status: "running" })),
    ),
    // Another session asked for the same.
    exported(
      "ses_other",
      undefined,
      message("other", 0, "user", text("Go.")),
      message("other", 1, "assistant", task("call_3", { status: "running" })),
    ),
    exported(
      "ses_child",
      "ses_main",
      message("child", 7, "user", text(PROMPT)),
      message("child", 8, "assistant", text("Here.")),
    ),
  ]);
  const sessions = assemble(records);
  const main = sessions.find(({ session_id: id }) => id === "ses_main");
  const child = main?.agents?.find(({ agent_id: id }) => id === "ses_child");
  expect(child).toMatchObject({ name: "explore", origin: "inferred" });
  const step = main?.conversations
    .flatMap((run) =>
      run.steps.map((step) => ({ ...step, at: `${run.conversation_id}/${step.step_id}` })),
    )
    .find(({ at }) => at === child?.spawned_by);
  expect(step?.payload_started).toMatchObject({ call_id: "call_2" });
  expect(warnings.join()).not.toMatch(/No tool call asked/);
});
