import { assemble } from "@thoughtflow/assemble";
import { checkSession } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { sourceText } from "../source-file.ts";
import { claudeCode } from "./claude-code.ts";
import { createQueuedWords } from "./queued-words.ts";
import type { TranscriptLine } from "./records.ts";

type Fields = Readonly<Record<string, unknown>>;

const said = (text: string): Fields => ({
  type: "user",
  message: { role: "user", content: [{ type: "text", text }] },
});
const answered = (id: string): Fields => ({
  type: "assistant",
  message: { id, role: "assistant", model: "claude-x", content: [{ type: "text", text: "Yes." }] },
});
const queue = (operation: string, content?: unknown, more: Fields = {}): Fields => ({
  type: "queue-operation",
  operation,
  content,
  ...more,
});
const attached = (prompt: string): Fields => ({
  type: "attachment",
  attachment: { type: "queued_command", prompt },
});

/** The steps of each run that neither the model nor a person who began it said. */
async function notedIn(...records: readonly Fields[]) {
  const lines = records.map((record, nth) =>
    JSON.stringify({
      ...(record["type"] !== "queue-operation" && {
        uuid: `r${nth}`,
        parentUuid: nth === 0 ? null : `r${nth - 1}`,
      }),
      sessionId: "s1",
      timestamp: new Date(Date.UTC(2026, 6, 11, 7, 0, nth)).toISOString(),
      ...record,
    }),
  );
  const { records: spans } = await recordsOf(claudeCode, [
    sourceText(lines.join("\n"), "s1.jsonl"),
  ]);
  return assemble(spans).flatMap((session) => {
    expect(checkSession(session)).toEqual([]);
    return session.conversations.map(({ steps }) =>
      steps
        .filter(({ label }) => label === "generic")
        .map(({ payload_started: told }) => told?.["text"]),
    );
  });
}

test.each([
  // Until 2.1.100 or so the model was given it, and no other record has it.
  ["was given the model mid-turn", [queue("remove", "Parser first.")]],
  ["was taken out", [queue("enqueue", "Parser first."), queue("remove")]],
  ["is blocks", [queue("enqueue", [{ type: "text", text: "Parser first." }])]],
])("what was typed ahead and %s is kept in the run that it was typed in", async (_, waiting) => {
  const noted = await notedIn(
    said("Go."),
    answered("m1"),
    ...waiting,
    said("More."),
    answered("m2"),
  );
  expect(noted).toEqual([["Parser first."], []]);
});

test.each([
  ["a prompt", [queue("enqueue", "Stop."), queue("dequeue"), said("Stop."), answered("m2")]],
  [
    "one prompt of two",
    [queue("enqueue", "Stop."), queue("enqueue", "No."), said("Stop.\nNo."), answered("m2")],
  ],
  ["an attachment", [queue("enqueue", "Stop."), queue("remove", "Stop."), attached("Stop.")]],
  ["one before it", [queue("enqueue", "Stop."), attached("Stop."), queue("remove", "Stop.")]],
  [
    "a tool's result",
    [
      {
        type: "assistant",
        message: {
          id: "m2",
          role: "assistant",
          model: "claude-x",
          content: [{ type: "tool_use", id: "t", name: "Bash", input: { command: "ls" } }],
        },
      },
      queue("enqueue", "Stop."),
      {
        type: "user",
        message: {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "t", content: "a.ts\n\nStop.\n" }],
        },
      },
    ],
  ],
  ["what is typed anew", [queue("enqueue", "Stop."), queue("popAll", "Stop."), said("Stop it.")]],
])("what was typed ahead and comes as %s stands once", async (_, records) => {
  const noted = await notedIn(said("Go."), answered("m1"), ...records);
  expect(noted.flat()).toEqual([]);
});

test("what was typed ahead and comes as a command stands once", async () => {
  const command = "<command-name>/cost</command-name>";
  const noted = await notedIn(
    said("Go."),
    answered("m1"),
    queue("enqueue", "/cost"),
    said(command),
  );
  expect(noted).toEqual([[command]]);
});

// Nothing can be counted of how texts are searched: if each that waits were looked for in each of the others, it would never end.
test("what waits and never comes is not looked for in all that tools give", () => {
  const words = createQueuedWords();
  const line = (record: Fields, message: Fields = {}) =>
    ({ number: 0, name: "user", record, message }) as TranscriptLine;
  const count = 15_000;
  for (let nth = 0; nth < count; nth++) words.take(line(queue("enqueue", `Note ${nth}.`)), nth);
  const output = { content: [{ content: "Note that a tool wrote. ".repeat(100) }] };
  for (let nth = 0; nth < count; nth++) words.said(line({ type: "user" }, output));
  words.said(line({ type: "user" }, { content: "Note 7.\nNote 8." }));
  expect([...words.left()]).toHaveLength(count - 2);
});
