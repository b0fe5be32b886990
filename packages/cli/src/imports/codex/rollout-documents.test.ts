import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { recognisedFormat } from "../recognise.ts";
import { sourceText } from "../source-file.ts";
import { codex } from "./codex.ts";

const said = (role: string, text: string, id?: string) => ({
  ...(id !== undefined && { id }),
  type: "message",
  role,
  content: [{ type: role === "assistant" ? "output_text" : "input_text", text }],
});

const ITEMS = [
  said("user", "List the files."),
  {
    id: "rs_1",
    type: "reasoning",
    summary: [{ type: "summary_text", text: "I list." }],
    duration_ms: 12,
  },
  {
    id: "fc_1",
    type: "function_call",
    status: "completed",
    name: "shell",
    arguments: '{"command":["ls","/nowhere"]}',
    call_id: "call_1",
  },
  {
    type: "function_call_output",
    call_id: "call_1",
    output: '{"output":"ls: /nowhere: no such file","metadata":{"exit_code":1}}',
  },
  said("assistant", "There are none.", "msg_1"),
  said("system", "⚠️ Rate limit reached.", "error-1"),
];

const documentOf = (id: string, items: readonly object[], time = "2025-04-20T10:00:00.000Z") => ({
  session: { timestamp: time, id, instructions: "Be brief." },
  items,
});

async function imported(documents: readonly object[], indent: number | undefined = 2) {
  const files = documents.map((document, n) =>
    sourceText(JSON.stringify(document, null, indent), `rollout-2025-04-20-${n}.json`),
  );
  const { records, warnings } = await recordsOf(codex, files);
  return { sessions: assemble(records), warnings };
}

test.each([2, undefined])(
  "a session of spring 2025 is one document, written with %s spaces",
  async (indent) => {
    const { sessions, warnings } = await imported([documentOf("one", ITEMS)], indent);
    const [session] = sessions;
    expect(session).toMatchObject({
      session_id: "one",
      title: "List the files.",
      started_at: "2025-04-20T10:00:00.000Z",
      totals: { model_calls: 2, tool_calls: 1, thoughts: 1 },
    });
    const words = JSON.stringify(session);
    for (const part of ["Be brief.", "no such file", "There are none.", "Rate limit reached."])
      expect(words).toContain(part);
    expect(warnings.join()).not.toMatch(/can't be read|not known/);
  },
);

test("of states that were written under new ids the last is the session", async () => {
  const { sessions, warnings } = await imported([
    documentOf("a", ITEMS.slice(0, 1)),
    documentOf("c", ITEMS),
    documentOf("b", ITEMS.slice(0, 4)),
    documentOf("other", [said("user", "Something else."), said("assistant", "Yes.", "msg_9")]),
  ]);
  expect(sessions.map(({ session_id }) => session_id).toSorted()).toEqual(["c", "other"]);
  expect(warnings).toContain("Left out: 2 × earlier state of a session: a later one is here.");
});

test("such a document is known as Codex's, by its content, and its name is looked for in a directory", async () => {
  const file = sourceText(JSON.stringify(documentOf("one", ITEMS), null, 2), "some.json");
  expect((await recognisedFormat([file], { codex }))?.name).toBe("codex");
  const names = ["rollout-2025-04-20-a.json", "2025/rollout-x.json", "auth.json", "a.jsonl"];
  expect(names.filter((name) => codex.takes?.(name))).toEqual([names[0], names[1], names[3]]);
});
