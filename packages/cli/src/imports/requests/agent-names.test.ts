import { assemble } from "@thoughtflow/assemble";
import { workflowOfSessions } from "@thoughtflow/workflow/document";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { REQUEST_LOGS } from "../../../testing/request-logs.ts";
import { openaiLog } from "../openai-log/openai-log.ts";

type Line = ReturnType<(typeof REQUEST_LOGS)[number][2]>;

async function namesIn(format: (typeof REQUEST_LOGS)[number][1], lines: readonly Line[]) {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { records } = await recordsOfText(format, text);
  const workflow = workflowOfSessions(assemble(records), {
    extractionTimestamp: "2026-01-01T00:00:00Z",
  });
  return workflow.workflow_dag.nodes.map(({ name }) => name);
}

const ROLES = [
  ["You are the planner of a team. Plan.", "agent: planner of a team"],
  ["You are a code reviewer for the payments service.", "agent: code reviewer"],
  ["You are an expert SQL developer who answers in English", "agent: expert SQL developer"],
  ["# Role\nYou are a triage agent: sort what comes in.", "agent: triage agent"],
  ["You are a helpful AI assistant.", "agent"],
  ["You are Kim, and write letters.", "agent"],
  [`You are a ${"very ".repeat(20)}patient clerk.`, "agent"],
  ["Answer in JSON. You are a clerk.", "agent"],
] as const;

test.each(REQUEST_LOGS)(
  "%s: agents without a name are called after the role that their system prompt begins with, where it tells one",
  async (_, format, lineOf) => {
    const lines = ROLES.map(([system], n) =>
      lineOf({ from: n, to: n + 0.5, system, said: [`Do ${n}`], answer: { text: `Done ${n}` } }, n),
    );
    expect(await namesIn(format, lines)).toEqual(ROLES.map(([, name]) => name));
  },
);

test.each(REQUEST_LOGS)(
  "%s: an agent that was asked for has its role behind that, and keeps it when its prompt changes",
  async (_, format, lineOf) => {
    const prompt = "Look at what is there, please";
    const main = { system: "You are the lead.", said: ["Go"] };
    const asks = { text: "I ask", tasks: [["task_00000000000001", prompt]] } as const;
    const sub = { system: "You are a scout.", said: [prompt], answer: { text: "I look" } };
    const onwards = { system: "You write.", said: [prompt, { text: "I look" }, "And then?"] };
    const lines = [
      { from: 0, to: 1, ...main, answer: asks },
      { from: 2, to: 3, ...sub },
      { from: 4, to: 5, ...onwards, answer: { text: "No more" } },
    ].map(lineOf);
    expect(await namesIn(format, lines)).toEqual(["agent: lead", "sub-agent: scout"]);
  },
);

test("the name that the tool call gives, or the request itself, comes before a role", async () => {
  const line = (n: number, more: object, message: object) => ({
    timestamp: `2026-05-01T10:00:0${n}.100Z`,
    request: {
      method: "POST",
      url: "https://x/v1/chat/completions",
      body: { model: "m", ...more },
    },
    response: { status: 200, body: { id: `c${n}`, choices: [{ index: 0, message }] } },
  });
  const args = { subagent_type: "Explore", prompt: "Find all callers of this" };
  const call = { name: "Task", arguments: JSON.stringify(args) };
  const lines = [
    line(
      1,
      { messages: [{ role: "user", content: "Go" }], metadata: { agent_name: "boss" } },
      { role: "assistant", tool_calls: [{ id: "call_1", type: "function", function: call }] },
    ),
    line(
      2,
      {
        messages: [
          { role: "system", content: "You are a scout." },
          { role: "user", content: args.prompt },
        ],
      },
      { role: "assistant", content: "There are none" },
    ),
  ];
  expect(await namesIn(openaiLog, lines)).toEqual(["boss", "Explore"]);
});
