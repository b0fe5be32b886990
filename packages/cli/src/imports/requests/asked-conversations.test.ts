import { assemble } from "@thoughtflow/assemble";
import { checkSession, type Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { openaiLog } from "../openai-log/openai-log.ts";

interface Asked {
  readonly conversation?: string;
  readonly previous_response_id?: string;
  readonly metadata?: object;
  readonly input: unknown;
  readonly output: readonly object[];
}

const said = (text: string) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text }],
});
const call = (id: string, args: object) => ({
  type: "function_call",
  call_id: id,
  name: "run",
  arguments: JSON.stringify(args),
});
const gave = (id: string, output: string) => ({
  type: "function_call_output",
  call_id: id,
  output,
});

/** One request each second. */
async function imported(
  asked: readonly (Asked | string)[],
  ending = "",
): Promise<{
  readonly sessions: readonly Session[];
  readonly warnings: readonly string[];
}> {
  const lines = asked.map((one, n) => {
    if (typeof one === "string") return one;
    const { output, ...body } = one;
    return JSON.stringify({
      timestamp: new Date(Date.UTC(2026, 2, 1) + n * 1_000).toISOString(),
      request: { url: "https://api.openai.com/v1/responses", body: { model: "gpt-5", ...body } },
      response: { status: 200, body: { id: `resp_${n}${ending}`, object: "response", output } },
    });
  });
  const { records, warnings } = await recordsOfText(openaiLog, lines.join("\n"));
  const sessions = assemble(records);
  for (const session of sessions) expect(checkSession(session)).toEqual([]);
  return { sessions, warnings };
}

function edgesOf(sessions: readonly Session[]) {
  return sessions
    .flatMap(({ conversations }) => conversations.flatMap(({ steps }) => steps))
    .flatMap(({ edges = [] }) => edges)
    .filter(({ type }) => type === "subagent_spawn")
    .map(({ origin, confidence }) => [origin, confidence]);
}

const told = (sessions: readonly Session[]) =>
  sessions.map(({ session_id: id, agents, totals }) => [id, agents?.length, totals?.model_calls]);

const task = (n: number) => `Count the files in directory ${n} of the project.`;

test("agents with conversations of their own belong to the session of the tool calls that asked for them", async () => {
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  const { sessions, warnings } = await imported([
    {
      conversation: "conv_main",
      input: "How large is it?",
      output: numbers.map((n) => call(`call_${n}`, { what: "count", words: task(n) })),
    },
    ...numbers.map((n) => ({
      conversation: `conv_${n}`,
      input: [{ role: "user", content: `${task(n).replace(" of", "\n of")}\n` }],
      output: [call("ls", { path: `directory ${n}` })],
    })),
    ...numbers.map((n) => ({
      conversation: `conv_${n}`,
      input: [gave("ls", "a b c")],
      output: [said("Three.")],
    })),
    {
      conversation: "conv_main",
      input: numbers.map((n) => gave(`call_${n}`, "Three.")),
      output: [said("Sixty.")],
    },
  ]);
  expect(told(sessions)).toEqual([["conv_main", 21, 42]]);
  expect(edgesOf(sessions)).toEqual(numbers.map(() => ["inferred", 0.95]));
  expect(warnings).toEqual([]);
});

const prompt = "Count the files of this project.";
const conversation = (id: string, content = prompt) => ({
  conversation: id,
  input: content,
  output: [said("Three.")],
});
const asking = (id: string, args: object = { words: prompt }) => ({
  conversation: "conv_main",
  input: "How large is it?",
  output: [call(id, args)],
});
const backTo = (id: string) => ({
  conversation: "conv_main",
  input: [gave(id, "Three.")],
  output: [said("Three.")],
});

test("what the request or the tool call names by an id is observed, whatever the words", async () => {
  const toolCall = "call_0123456789abcdef";
  const own = "conv_0123456789abcdef";
  for (const [args, metadata] of [
    [{ words: "Another text, and not the one." }, { asked_by: toolCall }],
    [{ agent: own, words: "Another text." }, {}],
  ] as const) {
    const { sessions } = await imported([
      asking(toolCall, args),
      { ...conversation(own), metadata },
      backTo(toolCall),
    ]);
    expect(told(sessions)).toEqual([["conv_main", 2, 3]]);
    expect(edgesOf(sessions)).toEqual([["observed", undefined]]);
  }
});

test("an agent that asks another one in a conversation of its own is below the one that asked for it", async () => {
  const { sessions } = await imported([
    asking("call_1"),
    { ...conversation("conv_a"), output: [call("call_2", { text: "Look into the cellar, too." })] },
    conversation("conv_b", "Look into the cellar, too."),
    { ...conversation("conv_a"), input: [gave("call_2", "Nothing.")] },
    backTo("call_1"),
  ]);
  expect(told(sessions)).toEqual([["conv_main", 3, 5]]);
  const [main, a, b] = sessions[0]?.agents ?? [];
  expect([a?.parent_agent_id, b?.parent_agent_id]).toEqual([main?.agent_id, a?.agent_id]);
});

test("who says the same once the tool has answered is somebody else", async () => {
  const { sessions } = await imported([asking("call_1"), backTo("call_1"), conversation("conv_b")]);
  expect(told(sessions).toSorted()).toEqual([
    ["conv_b", 1, 1],
    ["conv_main", 1, 2],
  ]);
});

test("what goes on by the id of an answer is of the session that the answer stands in, though it names none", async () => {
  const { sessions } = await imported([
    { conversation: "conv_main", input: "Which is cheaper?", output: [said("The second.")] },
    { input: "Something else.", output: [said("Yes.")] },
    { previous_response_id: "resp_0", input: "With breakfast?", output: [said("Still.")] },
    { previous_response_id: "resp_1", input: "Really?", output: [said("No.")] },
  ]);
  expect(told(sessions)).toEqual([
    ["conv_main", 1, 2],
    [expect.stringMatching(/^openai_/), 1, 2],
  ]);
  const steps = sessions.flatMap(({ conversations }) => conversations.flatMap((run) => run.steps));
  expect(
    steps
      .flatMap(({ edges = [] }) => edges)
      .filter(({ type }) => type === "continues")
      .map(({ origin }) => origin),
  ).toEqual(["observed", "observed"]);
});

test("a session that the program names goes before the conversations in it", async () => {
  const metadata = { session_id: "mine" };
  const { sessions } = await imported(
    [asking("call_1"), conversation("conv_b"), backTo("call_1")].map((one) => ({
      ...one,
      metadata,
    })),
  );
  expect(told(sessions)).toEqual([["mine", 2, 3]]);
  expect(edgesOf(sessions)).toEqual([["inferred", 0.95]]);
});

test("a line that is no record is of the session in whose conversations it stands", async () => {
  const lines = [asking("call_1"), conversation("conv_b"), "no record", backTo("call_1")];
  const { sessions } = await imported(lines);
  expect(told(sessions)).toEqual([["conv_main", 2, 3]]);
  const steps = sessions.flatMap(({ conversations }) => conversations.flatMap((run) => run.steps));
  expect(steps.filter(({ label }) => label === "generic").length).toBe(1);
});

test("answers to which a server gives the same ids in two conversations of a session stay two", async () => {
  const lines = [asking("call_1"), conversation("conv_b"), backTo("call_1")].map(
    ({ output, ...body }, n) =>
      JSON.stringify({
        timestamp: new Date(Date.UTC(2026, 2, 1) + n * 1_000).toISOString(),
        request: { url: "https://api.openai.com/v1/responses", body: { model: "m", ...body } },
        response: {
          status: 200,
          body: { id: `resp_${Math.trunc(n / 2)}`, object: "response", output },
        },
      }),
  );
  const { records, warnings } = await recordsOfText(openaiLog, lines.join("\n"));
  const sessions = assemble(records);
  expect(told(sessions)).toEqual([["conv_main", 2, 3]]);
  expect(warnings).toEqual([
    "two different answers have the id resp_0; the second is kept as resp_0~2",
  ]);
});

test("an agent that only the result names, by its conversation or one of its answers, is of the call that gave that", async () => {
  const own = "conv_0123456789abcdef";
  const named = (id: string) => ({
    ...backTo("call_1"),
    input: [gave("call_1", JSON.stringify({ text: "Three.", id }))],
  });
  const asks = asking("call_1", { what: "count" });
  for (const [child, id] of [
    [conversation(own), own],
    [conversation("conv_b"), "resp_1_0123456789abcdef"],
    [
      { ...conversation("conv_b"), metadata: { agent: "agent_0123456789abcdef" } },
      "agent_0123456789abcdef",
    ],
    [{ input: prompt, output: [said("Three.")] }, "resp_1_0123456789abcdef"],
  ] as const) {
    const { sessions } = await imported([asks, child, named(id)], "_0123456789abcdef");
    expect(told(sessions)).toEqual([["conv_main", 2, 3]]);
    expect(edgesOf(sessions)).toEqual([["observed", undefined]]);
  }
  const all = { metadata: { session_id: "mine" } };
  const { sessions } = await imported(
    [
      { ...asks, ...all },
      { input: prompt, output: [said("Three.")], ...all },
      { ...named("resp_1_0123456789abcdef"), ...all },
    ],
    "_0123456789abcdef",
  );
  expect(told(sessions)).toEqual([["mine", 2, 3]]);
  expect(edgesOf(sessions)).toEqual([["observed", undefined]]);
});

test("an id that the one that asks sends itself names no agent", async () => {
  const metadata = { user: "user_0123456789abcdef" };
  const { sessions } = await imported([
    { ...asking("call_1", { what: "user" }), metadata },
    { ...conversation("conv_b"), metadata },
    { ...backTo("call_1"), metadata, input: [gave("call_1", "user_0123456789abcdef")] },
  ]);
  expect(told(sessions)).toHaveLength(2);
});

test("an agent without a conversation is of the session of the call that asked for it, and so is what goes on from it", async () => {
  for (const next of [
    { previous_response_id: "resp_1", input: [gave("ls", "a b c")] },
    { input: [{ role: "user", content: prompt }, call("ls", {}), gave("ls", "a b c")] },
  ]) {
    const { sessions } = await imported([
      asking("call_1"),
      { input: prompt, output: [call("ls", {})] },
      { ...next, output: [said("Three.")] },
      backTo("call_1"),
      { input: "Something else.", output: [said("Yes.")] },
    ]);
    expect(told(sessions).toSorted()).toEqual([
      ["conv_main", 2, 4],
      [expect.stringMatching(/^openai_/), 1, 1],
    ]);
    expect(edgesOf(sessions)).toEqual([["inferred", 0.95]]);
  }
});
