import { join } from "node:path";
import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { directoryWith } from "../../../testing/flow-directory.ts";
import { recordsOf } from "../../../testing/imported-records.ts";
import { filesBelow, sourceFile } from "../source-file.ts";
import { claudeCode } from "./claude-code.ts";

let second = 0;
const record = (type: string, uuid: string, parentUuid: string | null, more: object) => ({
  type,
  uuid,
  parentUuid,
  sessionId: "s1",
  timestamp: new Date(Date.UTC(2026, 8, 1) + ++second * 1_000).toISOString(),
  ...more,
});
const said = (uuid: string, parentUuid: string | null, content: string, more: object = {}) =>
  record("user", uuid, parentUuid, { message: { role: "user", content }, ...more });
const answered = (uuid: string, parentUuid: string, words: string, more: object = {}) =>
  record("assistant", uuid, parentUuid, {
    message: {
      id: `msg_${uuid}`,
      role: "assistant",
      model: "m",
      content: [{ type: "text", text: words }],
      usage: { input_tokens: 10, output_tokens: 5 },
    },
    ...more,
  });
const lines = (...records: readonly object[]) =>
  records.map((one) => `${JSON.stringify(one)}\n`).join("");

test("what the program itself does with the conversation is told in the run that it does it in, and counted once", async () => {
  const main = [
    said("u1", null, "Begin it."),
    answered("a1", "u1", "It has begun."),
    said("u2", "a1", "Go on with it."),
    answered("a2", "u2", "It goes on."),
  ];
  const inAgent = (agentId: string) => ({ isSidechain: true, agentId });
  const sums = inAgent("acompact-0f1e2d3c4b5a6978");
  const aside = inAgent("aside_question-0f1e2d3c4b5a6978");
  const dir = directoryWith({
    [join("s1", "subagents", "agent-acompact-0f1e2d3c4b5a6978.jsonl")]: lines(
      // What it is told begins with a copy of the conversation.
      ...main.map((one) => ({ ...one, ...sums })),
      said("c1", "a2", "Sum it up.", sums),
      answered("c2", "c1", "It went well.", sums),
    ),
    [join("s1", "subagents", "agent-aside_question-0f1e2d3c4b5a6978.jsonl")]: lines(
      ...main.map((one) => ({ ...one, ...aside })),
      said("b1", "a2", "By the way, what is it?", aside),
      answered("b2", "b1", "It is that.", aside),
    ),
    "s1.jsonl": lines(
      ...main,
      record("system", "x1", null, { subtype: "compact_boundary", logicalParentUuid: "a2" }),
      said("u3", "x1", "It went well.", { isCompactSummary: true }),
      answered("a3", "u3", "On with it."),
      said("u4", "a3", "End it."),
      answered("a4", "u4", "It has ended."),
    ),
  });
  const paths = await filesBelow(dir, claudeCode.takes ?? (() => true));
  const files = paths.map((path) => sourceFile(path, path.slice(dir.length + 1)));
  const { records, warnings } = await recordsOf(claudeCode, files);
  const [session] = assemble(records);
  expect(session?.conversations.map(({ trigger }) => trigger)).toEqual(
    Array(3).fill("user_message"),
  );
  expect(session?.totals).toMatchObject({ model_calls: 6, input_tokens: 60, output_tokens: 30 });
  expect(session?.agents?.map(({ name, parent_agent_id }) => [name, parent_agent_id])).toEqual([
    ["Claude Code", undefined],
    ["compact", undefined],
    ["side_question", undefined],
  ]);
  const continued = session?.conversations.flatMap(({ steps }) =>
    steps.flatMap(({ payload_completed, edges = [] }) =>
      edges.flatMap(({ type }) => (type === "continues" ? [payload_completed?.["text"]] : [])),
    ),
  );
  expect(continued).toEqual(["It went well.", "It is that.", "On with it."]);
  expect(warnings.filter((warning) => warning.includes("asked"))).toEqual([]);
});
