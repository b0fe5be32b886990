import { assemble } from "@thoughtflow/assemble";
import { checkSession, type Session } from "@thoughtflow/schema";
import { listRecordings, loadExchanges } from "@thoughtflow/testkit";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { openaiLog } from "./openai-log.ts";

/** Recordings of other APIs: pictures, and tools' own requests. */
const OTHER = /images/;
const FETCHED = /\/responses\/resp_\w+$/;

async function sessionsOf(
  name: string,
): Promise<{ sessions: readonly Session[]; said: readonly string[] }> {
  const lines = loadExchanges(name).map((exchange) => JSON.stringify(exchange));
  const { records, warnings } = await recordsOfText(openaiLog, `${lines.join("\n")}\n`);
  const sessions = assemble(records);
  for (const session of sessions) expect(checkSession(session)).toEqual([]);
  return { sessions, said: warnings };
}

const recordings = listRecordings().filter((name) => !OTHER.test(name));

test("of each real recording every exchange with the API is a call, or told as left out", async () => {
  for (const name of recordings) {
    const { sessions, said } = await sessionsOf(name);
    const steps = sessions.flatMap(({ conversations }) =>
      conversations.flatMap((run) => run.steps),
    );
    const calls = steps.filter(({ label }) => label === "assistant_call" || label === "embedding");
    const left = said
      .join("\n")
      .match(/(\d+) × (line that is no exchange|exchange that is logged twice)/);
    // What is fetched is the answer of a call.
    const asked = loadExchanges(name).filter(({ path }) => !FETCHED.test(path));
    expect([name, calls.length + Number(left?.[1] ?? 0)]).toEqual([name, asked.length]);
    expect(said.filter((line) => line.includes("not known"))).toEqual([]);
  }
});

test("tokens are those of the answers", async () => {
  const { sessions } = await sessionsOf("simonw-llm/chat-tool-chain");
  const usages = loadExchanges("simonw-llm/chat-tool-chain").map(
    ({ response }) => JSON.parse(response.body).usage,
  );
  expect(sessions[0]?.totals).toMatchObject({
    model_calls: usages.length,
    input_tokens: usages.reduce((sum, { prompt_tokens }) => sum + prompt_tokens, 0),
    output_tokens: usages.reduce((sum, { completion_tokens }) => sum + completion_tokens, 0),
    cost: { calls: { priced: usages.length } },
  });
});

test.each([
  ["simonw-llm/chat-tool-chain", 3, 2],
  ["openai-compatible/deepseek-reasoning-tool-loop", 3, 4],
])(
  "the calls of %s are one agent and one run, each tool joined to what it gave",
  async (name, calls, tools) => {
    const { sessions } = await sessionsOf(name);
    const [session] = sessions as [Session];
    expect(sessions.length).toBe(1);
    expect(session.conversations.length).toBe(1);
    expect(session.agents?.length ?? 1).toBe(1);
    expect(session.totals).toMatchObject({ model_calls: calls, tool_calls: tools });
  },
);

test("a client that sends tool calls back under ids of its own is one agent", async () => {
  const { sessions } = await sessionsOf("pydantic-ai-openai/responses-stream-tool-loop");
  expect(sessions.map(({ agents }) => agents?.length)).toEqual([1]);
  expect(sessions[0]?.conversations.length).toBe(1);
});

test("an id goes before the words: a chain of previous responses is one agent", async () => {
  const { sessions } = await sessionsOf("pydantic-ai-openai/responses-previous-response-chain");
  expect(sessions.length).toBe(1);
  const edges = sessions[0]?.conversations.flatMap(({ steps }) =>
    steps.flatMap((step) => step.edges ?? []),
  );
  expect(edges?.some(({ origin }) => origin === "observed")).toBe(true);
});

test.each([
  ["pydantic-ai-openai/responses-background", 1],
  ["pydantic-ai-openai/responses-background-stream-resumed", 0],
])(
  "an answer that was made in the background, as %s has it, gives the call what was fetched",
  async (name, looks) => {
    const { sessions, said } = await sessionsOf(name);
    const [session, ...others] = sessions as [Session];
    expect(others).toEqual([]);
    expect(session.totals).toMatchObject({
      model_calls: 1,
      input_tokens: expect.any(Number),
      output_tokens: expect.any(Number),
    });
    expect(session.totals?.output_tokens).toBeGreaterThan(0);
    expect(JSON.stringify(session)).toContain("2 + 2 equals 4.");
    const [told = 0] = /\d+(?= × look at an answer)/.exec(said.join()) ?? [];
    expect(Number(told)).toBe(looks);
  },
);

test("a call in the background belongs to its session with what was fetched of it, and asks for agents with that", async () => {
  const prompt = "Count the files of this project.";
  const call = { type: "function_call", call_id: "c1", name: "count" };
  const output = [{ ...call, arguments: JSON.stringify({ prompt }) }];
  const answer = (id: string, status: string, more: object = {}) => ({
    status: 200,
    body: { id, object: "response", status, ...more },
  });
  const usage = { input_tokens: 10, output_tokens: 2 };
  const request = (url: string, body: object) => ({
    url: `https://api.openai.com/v1${url}`,
    ...(Object.keys(body).length > 0 && { body: { model: "gpt-5", ...body } }),
  });
  const lines = [
    [request("/responses", { input: "Hello?" }), answer("resp_0", "completed")],
    [
      request("/responses", { conversation: "conv_1", input: "How large?", background: true }),
      answer("resp_1", "queued"),
    ],
    [request("/responses/resp_1", {}), answer("resp_1", "in_progress")],
    [request("/responses/resp_1", {}), answer("resp_1", "completed", { output, usage })],
    [
      request("/responses", { conversation: "conv_2", input: prompt }),
      answer("resp_2", "completed", { usage }),
    ],
    [request("/responses/resp_none", {}), { status: 404, body: { error: { type: "none" } } }],
  ].map(([asked, response], n) =>
    JSON.stringify({
      timestamp: new Date(Date.UTC(2026, 2, 1) + n * 1_000).toISOString(),
      request: asked,
      response,
    }),
  );
  const { records, warnings } = await recordsOfText(openaiLog, lines.join("\n"));
  const sessions = assemble(records);
  const [session] = sessions.filter(({ session_id }) => session_id === "conv_1");
  expect(sessions.length).toBe(2);
  expect(session?.totals).toMatchObject({
    model_calls: 2,
    tool_calls: 1,
    input_tokens: 20,
    output_tokens: 4,
  });
  const [main, agent] = session?.agents ?? [];
  expect(agent?.parent_agent_id).toBe(main?.agent_id);
  expect(warnings).toEqual(["Left out: 2 × look at an answer that was not there yet."]);
});

test("a compaction is a call with its tokens, and what goes on from it says so", async () => {
  const said = (role: string, content: string) => ({ role, content });
  const answer = (id: string, object: string, output: readonly object[], input_tokens: number) => ({
    status: 200,
    body: {
      id,
      object,
      created_at: 1_772_359_200,
      output,
      usage: { input_tokens, output_tokens: 1 },
    },
  });
  const words = (text: string) => ({
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text }],
  });
  const compaction = { type: "compaction", id: "cmp_1", encrypted_content: "gAAA" };
  const history = [said("user", "What is 2+2?"), said("assistant", "4")];
  const exchange = (input: readonly object[], response: object, path = "/v1/responses") => ({
    request: { url: `https://api.openai.com${path}`, body: { model: "gpt-4.1", input } },
    response,
  });
  const lines = [
    exchange(history.slice(0, 1), answer("resp_1", "response", [words("4")], 10)),
    exchange(
      history,
      answer(
        "resp_2",
        "response.compaction",
        [{ type: "message", ...history[0] }, compaction],
        100,
      ),
      "/v1/responses/compact",
    ),
    exchange(
      [compaction, said("user", "And 3+3?")],
      answer("resp_3", "response", [words("6")], 20),
    ),
  ].map((line) => JSON.stringify(line));
  const { records, warnings } = await recordsOfText(openaiLog, lines.join("\n"));
  expect(warnings).toEqual([]);
  const [session, ...others] = assemble(records) as [Session];
  expect(others).toEqual([]);
  expect(session.totals).toMatchObject({ model_calls: 3, input_tokens: 130 });
  expect(session.agents?.map(({ totals }) => totals?.model_calls)).toEqual([2, 1]);
  const steps = session.conversations.flatMap((run) => run.steps);
  const [, compact, last] = steps.filter(({ label }) => label === "assistant_call");
  const [edge] = (last?.edges ?? []).filter(({ type }) => type === "continues");
  expect(edge).toMatchObject({ origin: "observed" });
  expect(edge?.to).toContain(compact?.step_id);
});

test("two answers with one id stay two; a line that is there twice is one", async () => {
  const line = (text: string) =>
    JSON.stringify({
      request: { body: { model: "gpt-5-mini", messages: [{ role: "user", content: text }] } },
      response: {
        status: 200,
        body: {
          id: "chatcmpl-1",
          object: "chat.completion",
          created: 1_772_359_200,
          choices: [
            { index: 0, finish_reason: "stop", message: { role: "assistant", content: "ok" } },
          ],
        },
      },
    });
  const { records, warnings } = await recordsOfText(
    openaiLog,
    `${line("one")}\n${line("two")}\n${line("one")}\n`,
  );
  const [session] = assemble(records) as [Session];
  expect(session.totals?.model_calls).toBe(2);
  expect(warnings).toEqual([
    "two different answers have the id chatcmpl-1; the second is kept as chatcmpl-1~2",
    "Left out: 1 × exchange that is logged twice.",
  ]);
});

test("a request whose answer nobody logged is a call, too", async () => {
  const line = (...messages: object[]) =>
    JSON.stringify({
      request: {
        url: "https://api.openai.com/v1/chat/completions",
        body: { model: "gpt-5-mini", messages, tools: [{ type: "function" }] },
      },
    });
  const asked = { role: "user", content: "Count." };
  const lines = [line(asked), line(asked, { role: "assistant", content: "One." }, asked)];
  const { records } = await recordsOfText(openaiLog, lines.join("\n"));
  const [{ agents } = {}] = assemble(records);
  expect(agents?.map(({ totals }) => totals?.model_calls)).toEqual([2]);
});

test("a conversation that the API keeps is one agent, whose requests show nothing but what is new", async () => {
  const item = (role: string, text: string) => ({
    type: "message",
    role,
    content: [{ type: "output_text", text }],
  });
  const exchange = (n: number, conversation: unknown, input: unknown, output: readonly unknown[]) =>
    JSON.stringify({
      timestamp: new Date(Date.UTC(2026, 2, 1) + n * 1_000).toISOString(),
      request: {
        url: "https://api.openai.com/v1/responses",
        body: { model: "gpt-5", input, conversation },
      },
      response: {
        status: 200,
        body: { id: `resp_${n}`, object: "response", status: "completed", model: "gpt-5", output },
      },
    });
  const call = { type: "function_call", call_id: "c1", name: "look", arguments: "{}" };
  const gave = { type: "function_call_output", call_id: "c1", output: "dry" };
  const lines = [
    exchange(1, "conv_1", "Is it raining?", [call]),
    // The same said to somebody else.
    exchange(2, { id: "conv_2" }, "Is it raining?", [item("assistant", "No.")]),
    exchange(3, { id: "conv_1" }, [gave], [item("assistant", "It is dry.")]),
    exchange(4, "conv_1", "And in Rome?", [item("assistant", "There too.")]),
  ];
  const { records } = await recordsOfText(openaiLog, `${lines.join("\n")}\n`);
  const told = assemble(records).map(({ session_id: id, agents, totals }) => [
    id,
    agents?.length,
    totals?.model_calls,
  ]);
  expect(told.toSorted()).toEqual([
    ["conv_1", 1, 3],
    ["conv_2", 1, 1],
  ]);
});

test("of a line with the parameters and the answer alone nothing is told to be left out", async () => {
  const request = { model: "m", messages: [{ role: "user", content: "Hi" }], max_tokens: 9 };
  const message = { role: "assistant", content: "Hello." };
  const response = {
    ...{ id: "c1", object: "chat.completion", model: "m", choices: [{ index: 0, message }] },
    usage: { prompt_tokens: 2, completion_tokens: 1 },
  };
  const stream = `data: ${JSON.stringify({ id: "c2", object: "chat.completion.chunk", choices: [] })}`;
  const lines = [
    { request, response, seq: 1 },
    { request, response: stream, note: "mine" },
  ];
  const { records, warnings } = await recordsOfText(
    openaiLog,
    lines.map((line) => JSON.stringify(line)).join("\n"),
  );
  expect(records.length).toBeGreaterThan(0);
  expect(warnings).toEqual([
    "Left out: 1 × exchange note: not known to this import.",
    "Left out: 1 × exchange seq: the order of the lines is kept.",
  ]);
});
