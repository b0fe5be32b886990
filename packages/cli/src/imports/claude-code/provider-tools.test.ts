import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { claudeCode } from "./claude-code.ts";

const searched = {
  type: "web_search_tool_result",
  tool_use_id: "srvtoolu_1",
  content: [{ type: "web_search_result", title: "Rome", url: "https://example.com" }],
};
const ran = {
  type: "bash_code_execution_tool_result",
  tool_use_id: "srvtoolu_1",
  content: { type: "bash_code_execution_result", stdout: "14\n", return_code: 0 },
};
const advised = {
  type: "advisor_tool_result",
  tool_use_id: "srvtoolu_1",
  content: { type: "advisor_result", text: "Take an umbrella." },
};

/** An answer with a tool that the provider ran: a record for each block, as the program writes them, or one for all. */
function transcript(blocks: readonly (readonly object[])[]): string {
  const line = (nth: number, type: string, message: object) =>
    `${JSON.stringify({
      ...{ type, message, uuid: `u${nth}`, parentUuid: nth === 0 ? null : `u${nth - 1}` },
      ...{ sessionId: "s", timestamp: new Date(Date.UTC(2026, 8, 1, 10, 0, nth)).toISOString() },
    })}\n`;
  const answer = { id: "msg_1", role: "assistant", model: "claude-x", stop_reason: "end_turn" };
  return [
    line(0, "user", { role: "user", content: "Is it raining?" }),
    ...blocks.map((content, nth) => line(nth + 1, "assistant", { ...answer, content })),
  ].join("");
}

test.each([
  ["a search", "web_search", searched, "Rome"],
  ["a command", "bash_code_execution", ran, "14"],
  ["an adviser", "advisor", advised, "umbrella"],
])("what the provider ran within an answer is done: %s", async (_, name, result, word) => {
  const call = { type: "server_tool_use", id: "srvtoolu_1", name, input: { query: "rain" } };
  const blocks = [{ type: "text", text: "I look." }, call, result, { type: "text", text: "No." }];
  for (const text of [transcript(blocks.map((one) => [one])), transcript([blocks])]) {
    const [session] = assemble((await recordsOfText(claudeCode, text)).records);
    expect(session?.conversations.map(({ status }) => status)).toEqual(["completed"]);
    expect(session?.totals).toMatchObject({ model_calls: 1, tool_calls: 1, errors: 0 });
    const steps = session?.conversations.flatMap((run) => run.steps) ?? [];
    const output = steps.find(({ label }) => label === "tool_output");
    expect(JSON.stringify(output?.payload_completed)).toContain(word);
  }
});

test("a tool of the provider that never came to an end leaves its run abandoned", async () => {
  const call = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };
  const [session] = assemble((await recordsOfText(claudeCode, transcript([[call]]))).records);
  expect(session?.conversations.map(({ status }) => status)).toEqual(["abandoned"]);
});

test("a block of a kind that is no text leaves the rest of its answer as it is", async () => {
  const blocks = [{ type: { toString: 1 } }, { type: "text", text: "No." }];
  const [session] = assemble((await recordsOfText(claudeCode, transcript([blocks]))).records);
  expect(JSON.stringify(session?.conversations)).toContain("No.");
});
