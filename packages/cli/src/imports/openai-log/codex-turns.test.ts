import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { openaiLog } from "./openai-log.ts";

interface Asked {
  readonly turn: string;
  readonly kind?: string;
  /** The sub-agent that asks, and the turn of the root that it works for. */
  readonly thread?: string;
  readonly root?: string;
  readonly input: readonly object[];
  readonly said: string;
}

/** As Codex 0.171 sends it: `codex-requests-scripted` has what a whole request looks like. */
function logOf(requests: readonly Asked[]): string {
  const lines = requests.map(({ turn, kind = "turn", thread = "s", root, input, said }, n) => {
    const metadata = {
      session_id: "s",
      thread_id: thread,
      turn_id: turn,
      request_kind: kind,
      ...(thread !== "s" && { parent_thread_id: "s" }),
      ...(root !== undefined && { root_turn_id: root }),
    };
    const content = [{ type: "output_text", text: said }];
    return JSON.stringify({
      timestamp: `2026-11-27T00:00:0${n}Z`,
      durationMs: 500,
      request: {
        url: "https://api.openai.com/v1/responses",
        body: {
          model: "gpt-5.5-codex",
          instructions: "You are Codex.",
          tools: [{ type: "function", name: "spawn_agent" }],
          client_metadata: {
            session_id: "s",
            thread_id: thread,
            "x-codex-turn-metadata": JSON.stringify(metadata),
          },
          input,
        },
      },
      response: {
        status: 200,
        body: {
          id: `resp_${n}`,
          object: "response",
          status: "completed",
          model: "gpt-5.5-codex",
          output: [{ type: "message", id: `msg_${n}`, role: "assistant", content }],
        },
      },
    });
  });
  return `${lines.join("\n")}\n`;
}

const message = (role: string, text: string) => ({
  type: "message",
  role,
  content: [{ type: role === "assistant" ? "output_text" : "input_text", text }],
});
const [one, two] = [message("user", "Mend the parser."), message("user", "And the printer.")];
const mended = [one, message("assistant", "Mended.")];
const SUMMARY = message("user", "Another language model started to solve this: parser mended.");

async function runsOf(requests: readonly Asked[]): Promise<readonly (readonly unknown[])[]> {
  const { records } = await recordsOfText(openaiLog, logOf(requests));
  return assemble(records).flatMap(({ conversations }) =>
    conversations.map(({ name, steps }) => [
      name,
      ...steps.flatMap(({ label, payload_completed: answer }) =>
        label === "assistant_call" ? [answer?.["text"]] : [],
      ),
    ]),
  );
}

test("a history that is summed up before a turn begins none, and the turn does", async () => {
  const compact = message("user", "You are performing a CONTEXT CHECKPOINT COMPACTION.");
  expect(
    await runsOf([
      { turn: "t1", input: [one], said: "Mended." },
      { turn: "t2", kind: "compaction", input: [...mended, compact], said: "Parser mended." },
      { turn: "t2", input: [one, SUMMARY, two], said: "Printed." },
    ]),
  ).toEqual([
    ["Mend the parser.", "Mended.", "Parser mended."],
    ["And the printer.", "Printed."],
  ]);
});

test("an agent of a turn that is over begins none, whoever asked for it", async () => {
  const child = { thread: "c", turn: "c1", root: "t1" };
  const count = message("user", "Count the callers.");
  expect(
    await runsOf([
      { turn: "t1", root: "t1", input: [one], said: "Mended." },
      { turn: "t2", root: "t2", input: [...mended, two], said: "Printed." },
      { ...child, input: [count], said: "Three." },
    ]),
  ).toEqual([
    ["Mend the parser.", "Mended."],
    ["And the printer.", "Printed.", "Three."],
  ]);
});

test("before the turn of the root was told, that of the first thread tells the runs", async () => {
  const told = message("user", "<subagent_notification>done</subagent_notification>");
  expect(
    await runsOf([
      { turn: "t1", input: [one], said: "Mended." },
      { turn: "t1", input: [...mended, told], said: "It is done." },
      {
        turn: "t2",
        input: [...mended, told, message("assistant", "It is done."), two],
        said: "Yes.",
      },
    ]),
  ).toEqual([
    ["Mend the parser.", "Mended.", "It is done."],
    ["And the printer.", "Yes."],
  ]);
});
