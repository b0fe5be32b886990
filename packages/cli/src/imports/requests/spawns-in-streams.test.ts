import { assemble } from "@thoughtflow/assemble";
import { checkSession, type Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { openaiLog } from "../openai-log/openai-log.ts";
import { proxyLog } from "../proxy-log/proxy-log.ts";

const T0 = Date.UTC(2026, 6, 6, 10) / 1000;
const TWICE = "Find all usages of the function parseHeader in the repository.";
const ONCE = "List every file that has more than five hundred lines.";
const NESTED = "Count the lines of the file src/parse.ts exactly.";
const NEVER_BEGUN = "This task is asked for and never begins anywhere at all.";
const NEVER_ASKED = "An orphan prompt that no task has ever asked for.";

/** A request as both APIs may have it: from, to (seconds), the system prompt, what is said, what is answered. */
interface Request {
  readonly from: number;
  readonly to: number;
  readonly system: string;
  readonly said: readonly (string | Answer | { readonly results: readonly string[] })[];
  readonly answer: Answer;
}

interface Answer {
  readonly text: string;
  /** Prompts of sub-agents; the id of each call is its prompt. */
  readonly tasks?: readonly (readonly [id: string, prompt: string])[];
}

const asked: Answer = {
  text: "I ask others.",
  tasks: [
    ["t1", TWICE],
    ["t2", TWICE],
    ["t3", ONCE],
    ["t4", NEVER_BEGUN],
  ],
};
const nested: Answer = { text: "I ask, too.", tasks: [["n1", NESTED]] };

/** The first answer streams for thirty seconds; what it asks for begins while it does, and ends before. */
const REQUESTS: readonly Request[] = [
  { from: 0, to: 30, system: "main", said: ["Clean up."], answer: asked },
  { from: 10, to: 16, system: "sub", said: [TWICE], answer: { text: "three usages" } },
  { from: 12, to: 26, system: "sub", said: [TWICE], answer: nested },
  { from: 14, to: 18, system: "sub", said: [ONCE], answer: { text: "two files" } },
  { from: 17, to: 22, system: "sub", said: [NESTED], answer: { text: "211 lines" } },
  {
    from: 27,
    to: 29,
    system: "sub",
    said: [TWICE, nested, { results: ["n1"] }],
    answer: { text: "four usages" },
  },
  {
    from: 31,
    to: 35,
    system: "main",
    said: ["Clean up.", asked, { results: ["t1", "t2", "t3", "t4"] }],
    answer: { text: "All done." },
  },
  { from: 36, to: 38, system: "other", said: [NEVER_ASKED], answer: { text: "nobody asked" } },
];

function anthropicLine({ from, to, system, said, answer }: Request, n: number): object {
  const content = ({ text, tasks = [] }: Answer) => [
    { type: "text", text },
    ...tasks.map(([id, prompt]) => ({ type: "tool_use", id, name: "Task", input: { prompt } })),
  ];
  const messages = said.map((one) => {
    if (typeof one === "string") return { role: "user", content: one };
    if ("text" in one) return { role: "assistant", content: content(one) };
    const results = one.results.map((id) => ({
      type: "tool_result",
      tool_use_id: id,
      content: id,
    }));
    return { role: "user", content: results };
  });
  const body = { model: "claude", max_tokens: 4096, system, tools: [{ name: "Task" }], messages };
  const usage = { input_tokens: 10, output_tokens: 1 };
  const message = { id: `msg_${n}`, type: "message", role: "assistant", model: "claude", usage };
  return {
    request: { timestamp: T0 + from, method: "POST", url: "https://x/v1/messages", body },
    response: {
      timestamp: T0 + to,
      status_code: 200,
      body: { ...message, content: content(answer) },
    },
  };
}

function openaiLine({ from, to, system, said, answer }: Request, n: number): object {
  const message = ({ text, tasks = [] }: Answer) => ({
    role: "assistant",
    content: text,
    ...(tasks.length > 0 && {
      tool_calls: tasks.map(([id, prompt]) => ({
        id,
        type: "function",
        function: { name: "task", arguments: JSON.stringify({ prompt }) },
      })),
    }),
  });
  const messages = said.flatMap((one): readonly object[] => {
    if (typeof one === "string") return [{ role: "user", content: one }];
    if ("text" in one) return [message(one)];
    return one.results.map((id) => ({ role: "tool", tool_call_id: id, content: id }));
  });
  const tools = [{ type: "function", function: { name: "task" } }];
  const choices = [{ index: 0, finish_reason: "stop", message: message(answer) }];
  return {
    timestamp: new Date((T0 + from) * 1000).toISOString(),
    durationMs: (to - from) * 1000,
    request: {
      url: "https://api.openai.com/v1/chat/completions",
      body: { model: "gpt", tools, messages: [{ role: "system", content: system }, ...messages] },
    },
    response: {
      status: 200,
      body: { id: `msg_${n}`, object: "chat.completion", model: "gpt", choices },
    },
  };
}

test.each([
  ["proxy-log", proxyLog, anthropicLine],
  ["openai-log", openaiLog, openaiLine],
] as const)(
  "%s: agents that began while the answer that asked for them was on its way are its children",
  async (_, format, lineOf) => {
    const lines = REQUESTS.map((request, n) => ({ to: request.to, line: lineOf(request, n) }));
    // As a proxy writes: what was over first stands first.
    const text = lines
      .toSorted((a, b) => a.to - b.to)
      .map(({ line }) => `${JSON.stringify(line)}\n`)
      .join("");
    const { records } = await recordsOfText(format, text);
    const [session] = assemble(records) as [Session];
    expect(checkSession(session)).toEqual([]);
    const steps = session.conversations.flatMap((run) => run.steps);
    const callIds = new Map(steps.map((step) => [step.step_id, step.payload_started?.["call_id"]]));
    const agents = (session.agents ?? []).map(({ agent_id, parent_agent_id, spawned_by }) => [
      agent_id,
      parent_agent_id,
      callIds.get(spawned_by?.split("/").at(-1) ?? ""),
      steps
        .find((step) => step.agent_id === agent_id && step.label === "agent")
        ?.edges?.find(({ type }) => type === "subagent_spawn")?.confidence,
    ]);
    expect(agents).toEqual([
      ["agent_msg_0", undefined, undefined, undefined],
      ["agent_msg_1", "agent_msg_0", "t1", 0.475],
      ["agent_msg_2", "agent_msg_0", "t2", 0.475],
      ["agent_msg_3", "agent_msg_0", "t3", 0.95],
      ["agent_msg_4", "agent_msg_2", "n1", 0.95],
      ["agent_msg_7", undefined, undefined, undefined],
    ]);
  },
);
