import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import type { LoggedAnswer, LoggedRequest } from "../../../testing/logged-lines.ts";
import { REQUEST_LOGS } from "../../../testing/request-logs.ts";

const QUESTION = "What does the parser do?";
const asked: LoggedAnswer = { text: "I look.", tasks: [["t1", "Look at it."]] };
const both: LoggedAnswer = {
  text: "I look.",
  tasks: [
    ["t1", "One."],
    ["t2", "Two."],
  ],
};
const answer: LoggedAnswer = { text: "It reads lines." };
const results = { results: ["t1"] };

async function statusesOf(
  [, format, lineOf]: (typeof REQUEST_LOGS)[number],
  requests: readonly Pick<LoggedRequest, "said" | "answer">[],
  change: (line: string) => string = (line) => line,
): Promise<readonly unknown[]> {
  const lines = requests.map((request, n) =>
    change(JSON.stringify(lineOf({ from: n, to: n + 0.5, system: "main", ...request }, n))),
  );
  const { records } = await recordsOfText(format, `${lines.join("\n")}\n`);
  return assemble(records).flatMap((one) => [
    one.status,
    ...one.conversations.map(({ status }) => status),
  ]);
}

test.each(REQUEST_LOGS)(
  "%s: a run whose last answer asks for tools that nobody answers is abandoned",
  async (...log) => {
    const first = { said: [QUESTION], answer: asked };
    expect(await statusesOf(log, [first])).toEqual(["abandoned", "abandoned"]);
    const shown = { said: [QUESTION, asked, results], answer };
    expect(await statusesOf(log, [first, shown])).toEqual(["completed", "completed"]);
    const more = { said: [QUESTION, asked, results], answer: asked };
    expect(await statusesOf(log, [first, more])).toEqual(["abandoned", "abandoned"]);
  },
);

test.each(REQUEST_LOGS)(
  "%s: what a person's next words come with the results of is no abandoned run",
  async (...log) => {
    const next = (...given: readonly { readonly results: readonly string[] }[]) => [
      { said: [QUESTION], answer: both },
      { said: [QUESTION, both, ...given, "And the lexer?"], answer },
    ];
    const given = { results: ["t1", "t2"] };
    expect(await statusesOf(log, next(given))).toEqual(["completed", "completed", "completed"]);
    expect(await statusesOf(log, next(results))).toEqual(["completed", "abandoned", "completed"]);
  },
);

test("a tool that the provider has run within the answer waits for nobody", async () => {
  const [log] = REQUEST_LOGS;
  const searched = (...results: readonly object[]) =>
    statusesOf(log, [{ said: [QUESTION], answer: asked }], (line) =>
      line.replace(/\{"type":"tool_use",(.*?\}\})/, (_, rest) =>
        [`{"type":"server_tool_use",${rest}`, ...results.map((one) => JSON.stringify(one))].join(),
      ),
    );
  const result = { type: "web_search_tool_result", tool_use_id: "t1", content: [] };
  const words = { type: "text", text: "It reads lines." };
  expect(await searched(result, words)).toEqual(["completed", "completed"]);
  // The provider paused the turn.
  expect(await searched()).toEqual(["abandoned", "abandoned"]);
});

test.each([
  ["tool_choice", { type: "function", function: { name: "task" } }],
  ["tool_choice", { type: "tool", name: "Task" }],
  ["function_call", { name: "task" }],
])("a tool that the request names with %s is all that was asked for", async (member, chosen) => {
  const named = `"model":"gpt","${member}":${JSON.stringify(chosen)},`;
  for (const log of REQUEST_LOGS) {
    const change = (line: string) =>
      line.replace('"model":"gpt",', named).replace('"model":"claude",', named);
    expect(await statusesOf(log, [{ said: [QUESTION], answer: asked }], change)).toEqual([
      "completed",
      "completed",
    ]);
  }
});
