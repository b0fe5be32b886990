import type { GenAiMessage } from "@thoughtflow/semconv";
import { expect, test } from "vitest";
import { createAgentTracker, type TrackedRequest } from "./agent-tracker.ts";

const text = (role: string, content: string): GenAiMessage => ({
  role,
  parts: [{ type: "text", content }],
});
const user = (content: string) => text("user", content);
const assistant = (content: string) => text("assistant", content);

function request(
  requestId: string,
  messages: readonly GenAiMessage[],
  more: Partial<TrackedRequest> = {},
): TrackedRequest {
  return { requestId, ms: 0, messages, system: "You work.", tools: 3, ...more };
}

const task = (prompt: string, id: string): GenAiMessage => ({
  role: "assistant",
  parts: [{ type: "tool_call", id, name: "Anything", arguments: { prompt } }],
});

test("a request with the history and the answer of another one goes on from it", () => {
  const tracker = createAgentTracker();
  const first = tracker.request(request("a", [user("Hello")]));
  tracker.response("a", [assistant("Hi")]);
  const second = tracker.request(
    request("b", [user("Hello"), assistant("Hi"), user("More")], { system: "Summarise." }),
  );
  expect(first).toMatchObject({ agentId: "agent_a", kind: "main", known: 0 });
  expect(second).toMatchObject({ agentId: "agent_a", continues: { requestId: "a" }, known: 2 });
  expect(second.type).not.toBe(first.type);
});

test("reminders that come, go and move change nothing", () => {
  const tracker = createAgentTracker();
  const reminder = "<system-reminder>\nIt is Monday.\n</system-reminder>";
  tracker.request(
    request("a", [{ role: "user", parts: [...user(reminder).parts, ...user("Hello").parts] }]),
  );
  tracker.response("a", [assistant("Hi")]);
  const next = tracker.request(request("b", [user("Hello"), assistant("Hi"), user(reminder)]));
  expect(next).toMatchObject({ agentId: "agent_a", known: 2 });
});

test.each([
  ["less of it", [{ output: null }]],
  ["nothing of it", []],
])("a client may send back %s of what the provider's own tools gave", (_, sent) => {
  const searched = (given: object): GenAiMessage["parts"] => [
    { type: "server_tool_call", id: "fs_1", name: "file_search", server_tool_call: {} },
    { type: "server_tool_call_response", id: "fs_1", server_tool_call_response: given },
  ];
  const tracker = createAgentTracker();
  tracker.request(request("a", [user("Find it")]));
  tracker.response("a", [
    { role: "assistant", parts: [...searched({ output: "x" }), ...assistant("Here").parts] },
  ]);
  const back = sent.map((given): GenAiMessage => ({ role: "assistant", parts: searched(given) }));
  const history = [user("Find it"), ...back, assistant("Here")];
  const next = tracker.request(request("b", [...history, user("More")]));
  expect(next).toMatchObject({ agentId: "agent_a", known: history.length });
});

test.each(["Hi", "\n\nHi\n", "<think>Who is it?</think>\n\nHi"])(
  "an answer is the same without what the model thought aloud and space around it: %j",
  (said) => {
    const tracker = createAgentTracker();
    tracker.request(request("a", [user("Hello")]));
    tracker.response("a", [assistant("<think>Who is it?</think>\n\nHi")]);
    const history = [user("Hello"), assistant(said)];
    const next = tracker.request(request("b", [...history, user("More")]));
    expect(next).toMatchObject({ agentId: "agent_a", known: 2 });
  },
);

test("a history that the provider replaced by what nobody can read is told by its id", () => {
  const tracker = createAgentTracker();
  const compaction = { role: "assistant", parts: [{ type: "compaction", id: "cmp_1" }] };
  tracker.request(request("a", [user("Hello")]));
  tracker.response("a", [assistant("Hi")]);
  tracker.request(request("b", [user("Hello"), assistant("Hi")]));
  tracker.response("b", [compaction]);
  // The people's messages may be kept before it.
  for (const kept of [[], [user("Hello")]]) {
    const next = tracker.request(request(`c${kept.length}`, [...kept, compaction, user("More")]));
    expect(next.continues).toBeUndefined();
    expect(next.stretchOf).toEqual({ agentId: "agent_a", requestId: "b" });
  }
  const other = { role: "assistant", parts: [{ type: "compaction", id: "cmp_2" }] };
  expect(tracker.request(request("d", [other, user("More")])).stretchOf).toBeUndefined();
});

test("two agents with the same first words and answers stay two", () => {
  const tracker = createAgentTracker();
  const begin = () => [user("Same words"), assistant("Same answer")];
  for (const id of ["a", "b"]) tracker.request(request(id, begin().slice(0, 1)));
  for (const id of ["a", "b"]) tracker.response(id, begin().slice(1));
  const agents = ["c", "d"].map(
    (id) => tracker.request(request(id, [...begin(), user(`for ${id}`)])).agentId,
  );
  expect(agents).toEqual(["agent_a", "agent_b"]);
});

test("an agent is the child of the call that holds its first words, each call's once", () => {
  const tracker = createAgentTracker();
  tracker.request(request("p", [user("Do both")]));
  const prompt = "Look at the tests\nof this project";
  tracker.response("p", [
    { role: "assistant", parts: [...task(prompt, "t1").parts, ...task(prompt, "t2").parts] },
  ]);
  const children = ["c1", "c2", "c3"].map((id) =>
    tracker.request(request(id, [user(" Look at the tests of this  project")], { ms: 5 })),
  );
  expect(children.map(({ spawn }) => spawn)).toEqual([
    { agentId: "agent_p", requestId: "p", toolCallId: "t1", toolCall: 1, confidence: 0.475 },
    { agentId: "agent_p", requestId: "p", toolCallId: "t2", toolCall: 2, confidence: 0.475 },
    undefined,
  ]);
});

test("a child asks for a child of its own; one that begins two hours later has nothing to do with it", () => {
  const tracker = createAgentTracker();
  tracker.request(request("p", [user("Go")]));
  tracker.response("p", [task("Count all of the files", "t1")]);
  tracker.request(request("c", [user("Count all of the files")]));
  tracker.response("c", [task("Count the hidden files", "t2")]);
  const grandchild = request("g", [user("Count the hidden files")], { ms: 1_000 });
  expect(tracker.request(grandchild).spawn).toMatchObject({ agentId: "agent_c", toolCallId: "t2" });
  const late = request("l", [user("Count all of the files")], { ms: 7_200_000 });
  expect(tracker.request(late).spawn).toBeUndefined();
});

test("probes and side requests are told by their shape, and each stands for itself", () => {
  const tracker = createAgentTracker();
  const kinds = [
    request("q1", [user("quota")], { tools: 0, maxTokens: 1 }),
    request("q2", [user("quota")], { tools: 0, maxTokens: 1 }),
    request("s", [user("Give a title")], { tools: 0, maxTokens: 512 }),
    request("m", [user("Work")], { maxTokens: 512 }),
  ].map((one) => {
    const { agentId, kind } = tracker.request(one);
    tracker.response(one.requestId, [assistant("ok")]);
    return [agentId, kind];
  });
  expect(kinds).toEqual([
    ["agent_q1", "probe"],
    ["agent_q2", "probe"],
    ["agent_s", "side"],
    ["agent_m", "main"],
  ]);
});

test("a conversation that begins with another one's summary is its next stretch", () => {
  const tracker = createAgentTracker();
  const summary = "We built a page and tested it. ".repeat(20);
  tracker.request(request("a", [user("Build a page")]));
  tracker.response("a", [assistant("Done")]);
  tracker.request(request("b", [user("Build a page"), assistant("Done"), user("Summarise")]));
  tracker.response("b", [assistant(summary)]);
  const next = tracker.request(request("c", [user(`This goes on from before:\n${summary}`)]));
  expect(next).toMatchObject({
    agentId: "agent_c",
    stretchOf: { agentId: "agent_a", requestId: "b", confidence: 0.9 },
  });
});

test("previous_response_id leads to the agent without any history", () => {
  const tracker = createAgentTracker();
  tracker.request(request("a", [user("Hello")]));
  tracker.response("a", [assistant("Hi")], "resp_1");
  const next = tracker.request(request("b", [user("More")], { previousResponseId: "resp_1" }));
  expect(next).toMatchObject({ agentId: "agent_a", continues: { requestId: "a" } });
});

test("what an agent is asked may come after what its program tells of the machine", () => {
  const tracker = createAgentTracker();
  const place = user("<environment_context>\n  <cwd>/app</cwd>\n</environment_context>");
  tracker.request(request("a", [place, user("Count everything.")]));
  tracker.response("a", [task("Count the pears in the garden.", "t1")]);
  const child = tracker.request(request("b", [place, user("Count the pears in the garden.")]));
  const other = tracker.request(request("c", [place, user("Count the apples.")]));
  expect(child.spawn).toMatchObject({ agentId: "agent_a", toolCallId: "t1", confidence: 0.95 });
  expect(other.spawn).toBeUndefined();
});

test("where nobody logged the answers, the questions tell what goes on from what", () => {
  const tracker = createAgentTracker();
  const first = [user("Same words")];
  const [second, third] = [
    [...first, assistant("Yes"), user("More")],
    [...first, assistant("Yes"), user("More"), assistant("Enough"), user("Thanks")],
  ];
  const other = [...first, assistant("No"), user("Why?")];
  const agents = [first, first, second, other, third].map(
    (messages, n) => tracker.request(request(`r${n}`, messages)).agentId,
  );
  expect(agents).toEqual(["agent_r0", "agent_r1", "agent_r0", "agent_r1", "agent_r0"]);
});

test("a first request that failed and is sent again is one agent's, and is for what it was for", () => {
  const tracker = createAgentTracker();
  const tries = ["a", "b", "c"].map((id) => {
    const match = tracker.request(request(id, [user("Give a title")], { tools: 0 }));
    tracker.response(id, id === "c" ? [assistant("A title")] : []);
    return [match.agentId, match.kind, match.continues?.requestId];
  });
  expect(tries).toEqual([
    ["agent_a", "side", undefined],
    ["agent_a", "side", "a"],
    ["agent_a", "side", "b"],
  ]);
  expect(tracker.request(request("d", [user("Give a title")])).agentId).toBe("agent_d");
});

test("of two that are asked the same at once and fail each is sent again, though a third is asked for", () => {
  const tracker = createAgentTracker();
  const prompt = "Look at the tests of this project";
  const calls = ["t1", "t2", "t3"].flatMap((id) => task(prompt, id).parts);
  tracker.request(request("p", [user("Do all of it")]));
  tracker.response("p", [{ role: "assistant", parts: calls }]);
  const agents = [10, 20, 110, 120, 130].map((ms, n) => {
    const id = `r${n}`;
    const { agentId } = tracker.request(request(id, [user(prompt)], { ms, endMs: ms + 50 }));
    tracker.response(id, n < 2 ? [] : [assistant("Done")]);
    return agentId;
  });
  expect(agents).toEqual(["agent_r0", "agent_r1", "agent_r0", "agent_r1", "agent_r4"]);
});

test("a history without its beginning goes on from the call whose tools it tells of", () => {
  const tracker = createAgentTracker();
  const id = "toolu_01AbCdEfGhIjKlMn";
  tracker.request(request("a", [user("Begin"), assistant("Yes"), user("Go on")]));
  tracker.response("a", [task("look", id)]);
  const result: GenAiMessage = {
    role: "tool",
    parts: [{ type: "tool_call_response", id, response: "found" }],
  };
  const cut = tracker.request(request("b", [user("Summary."), task("look", id), result]));
  expect(cut).toMatchObject({
    agentId: "agent_a",
    continues: { requestId: "a", confidence: 0.9 },
    known: 0,
  });
});

test("an agent that begins with all that another one was told is the child of the call whose words stand behind it", () => {
  const tracker = createAgentTracker();
  const prompts = ["Find every caller of the parser.", "Find every test of the parser."];
  const asked: GenAiMessage = {
    role: "assistant",
    parts: prompts.map((prompt, nth) => ({
      type: "tool_call",
      id: `t${nth}`,
      name: "Agent",
      arguments: { subagent_type: "fork", prompt },
    })),
  };
  const told = (...words: string[]): GenAiMessage => ({
    role: "user",
    parts: [
      { type: "tool_call_response", id: "t0", response: "Started" },
      { type: "tool_call_response", id: "t1", response: "Started" },
      ...words.map((content) => ({ type: "text", content }) as const),
    ],
  });
  tracker.request(request("a", [user("Look at it")]));
  tracker.response("a", [asked]);
  const main = tracker.request(request("b", [user("Look at it"), asked, told()]));
  tracker.response("b", [assistant("I wait.")]);
  expect(main).toMatchObject({ agentId: "agent_a", continues: { requestId: "a" } });
  for (const [nth, prompt] of prompts.entries()) {
    const id = `fork${nth}`;
    const begun = [user("Look at it"), asked, told(`You are a fork. Your directive: ${prompt}`)];
    const fork = tracker.request(request(id, begun));
    expect(fork).toMatchObject({
      agentId: `agent_${id}`,
      kind: "main",
      spawn: { agentId: "agent_a", requestId: "a", toolCall: nth + 1, confidence: 0.95 },
    });
    // It failed, and is sent again.
    tracker.response(id, []);
    expect(tracker.request(request(`${id}-again`, begun)).agentId).toBe(`agent_${id}`);
    tracker.response(`${id}-again`, [assistant(`Found ${nth}.`)]);
    const next = [...begun, assistant(`Found ${nth}.`), user("More")];
    expect(tracker.request(request(`${id}-next`, next))).toMatchObject({
      agentId: `agent_${id}`,
      continues: { requestId: `${id}-again` },
    });
  }
  const later = [user("Look at it"), asked, told(), assistant("I wait."), user("Done?")];
  expect(tracker.request(request("c", later))).toMatchObject({
    agentId: "agent_a",
    continues: { requestId: "b" },
  });
});
