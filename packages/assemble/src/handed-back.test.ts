import type { SpanRecord } from "@thoughtflow/schema";
import { describe, expect, test } from "vitest";
import {
  asks,
  callOf,
  gives,
  type RecordWords,
  recordOf,
  restsOn,
  say,
} from "../testing/record-of.ts";
import { sessionOf } from "../testing/story-of.ts";

const question = say("user", "How large is it?");
const task = say("assistant", asks("t1", "delegate", { prompt: "Count the files." }));
const parent = callOf({ id: "a", trace: "1" }, [question], [task]);

function childOf(words: Partial<RecordWords>, ...said: Parameters<typeof say>): SpanRecord {
  return callOf(
    {
      id: "b",
      trace: "2",
      at: 2,
      attributes: restsOn("s_000000000000000a.t1", "subagent_spawn", "inferred", "0.8"),
      ...words,
    },
    [say("user", "Count the files.")],
    [say(...said)],
  );
}

/** The next call of the one that asked, which is shown what the tool gave. */
function restAt(at: number): SpanRecord {
  const structure = { continues: "000000000000000a", known: 2, input: [], output: [] };
  return callOf(
    { id: "c", trace: "1", at, attributes: { "thoughtflow.messages": JSON.stringify(structure) } },
    [question, task, gives("t1", "42 files.")],
    [say("assistant", "42.")],
  );
}

/** What the outputs of tools were handed, as `output <- step, how`. */
function handedBack(records: readonly SpanRecord[]): readonly string[] {
  const { conversations } = sessionOf(records);
  return conversations
    .flatMap(({ steps }) => steps)
    .filter(({ label }) => label === "tool_output" || label === "tool_error")
    .flatMap(({ step_id, edges = [] }) =>
      edges
        .filter(({ type }) => type === "handoff")
        .map(({ to, origin, confidence }) =>
          `${step_id} <- ${to} ${origin} ${confidence ?? ""}`.replaceAll(/s_0+/g, "s_").trim(),
        ),
    );
}

const ANSWER = ["assistant", "42 files."] as const;
const who = (id: string) => ({ "gen_ai.agent.id": id });

test("what a tool gives rests on the answer of the agent that it asked, as sure as it is that it asked", () => {
  const records = [parent, childOf({}, ...ANSWER), restAt(4)];
  expect(handedBack(records)).toEqual(["s_a.t1_out <- s_b.m1 inferred 0.8"]);
  expect(handedBack(records.toReversed())).toEqual(handedBack(records));
  const { agents = [] } = sessionOf(records);
  expect(agents.map(({ parent_agent_id }) => parent_agent_id)).toEqual([
    undefined,
    "agent_000000000000000a",
  ]);
});

test("one that still works, or begins later, has handed nothing back", () => {
  expect(handedBack([parent, childOf({ until: 9 }, ...ANSWER), restAt(4)])).toEqual([]);
  expect(handedBack([parent, childOf({ open: true }, ...ANSWER), restAt(4)])).toEqual([]);
  expect(handedBack([parent, childOf({ at: 5 }, ...ANSWER), restAt(4)])).toEqual([]);
  const works = childOf({}, "assistant", "I look.", asks("t2", "look", {}));
  expect(handedBack([parent, works, restAt(4)])).toEqual([]);
});

test("a tool that the provider ran within the last answer keeps nobody from having handed it back", () => {
  const looked = childOf(
    {},
    "assistant",
    "I ask.",
    { type: "server_tool_call", id: "t2", name: "advisor", server_tool_call: { type: "advisor" } },
    {
      type: "server_tool_call_response",
      id: "t2",
      server_tool_call_response: { type: "advisor_result", text: "Fine." },
    },
    "42 files.",
  );
  expect(handedBack([parent, looked, restAt(4)])).toEqual(["s_a.t1_out <- s_b.m2 inferred 0.8"]);
});

test("times that only tell places in a file say nothing of another file", () => {
  const inOneMillisecond = { at: 4, until: 4 };
  expect(handedBack([parent, childOf(inOneMillisecond, ...ANSWER), restAt(4)])).toEqual([]);
});

test("what an agent did last is told by times, also where its clock was set back", () => {
  const inOrder = (seq: number) => ({ "thoughtflow.seq": seq, "gen_ai.agent.id": "counter" });
  const work = (id: string, seq: number, at: number, words: string) =>
    callOf(
      { id, trace: "2", at, attributes: inOrder(seq) },
      [say("user", "Count the files.")],
      [say("assistant", words)],
    );
  const { attributes } = childOf({}, ...ANSWER);
  const asking = { "gen_ai.agent.id": "main" };
  const records = [
    callOf({ id: "a", trace: "1", attributes: asking }, [question], [task]),
    childOf({ at: 1, attributes: { ...attributes, ...inOrder(1) } }, ...ANSWER),
    work("d", 2, 20, "They grow."),
    work("e", 3, 3, "43 files."),
    restAt(10),
  ];
  expect(handedBack(records)).toEqual(["s_a.t1_out <- s_e.m1 inferred 0.8"]);
});

test("an agent that stopped after a tool has come to what that gave", () => {
  const works = childOf({}, "assistant", asks("t2", "look", {}));
  const look = recordOf({
    id: "d",
    trace: "2",
    parent: "b",
    at: 3,
    until: 4,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "look",
      "gen_ai.tool.call.id": "t2",
    },
    content: { "gen_ai.tool.call.result": "42" },
  });
  expect(handedBack([parent, works, look, restAt(6)])).toEqual([
    "s_a.t1_out <- s_d_out inferred 0.8",
  ]);
});

test("one that is asked again hands each tool what it came to since", () => {
  const again = say("assistant", asks("t3", "delegate", { prompt: "And the folders?" }));
  const second = callOf(
    { id: "c", trace: "1", at: 4 },
    [question, task, gives("t1", "42 files.")],
    [again],
  );
  const more = callOf(
    {
      id: "e",
      trace: "3",
      at: 6,
      attributes: restsOn("s_000000000000000c.t1", "handoff", "observed"),
    },
    [say("user", "Count the files."), say(...ANSWER), say("user", "And the folders?")],
    [say("assistant", "7 folders.")],
  );
  const last = callOf(
    { id: "f", trace: "1", at: 8 },
    [question, task, gives("t1", "42 files."), again, gives("t3", "7 folders.")],
    [say("assistant", "42 and 7.")],
  );
  const records = [parent, childOf({}, ...ANSWER), second, more, last];
  expect(handedBack(records)).toEqual([
    "s_a.t1_out <- s_b.m1 inferred 0.8",
    "s_c.t1_out <- s_e.m1 observed",
  ]);
});

describe("an agent whose span stands in the tool's own", () => {
  const tool = recordOf({
    id: "d",
    parent: "a",
    at: 2,
    until: 8,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "delegate",
      "gen_ai.tool.call.id": "t1",
    },
    content: { "gen_ai.tool.call.result": "42 files." },
  });
  const agent = recordOf({
    id: "e",
    parent: "d",
    at: 3,
    until: 7,
    attributes: { "gen_ai.operation.name": "invoke_agent", ...who("counter") },
  });
  const asking = callOf({ id: "a", attributes: who("main") }, [question], [task]);
  const call = callOf({ id: "b", parent: "e", at: 4 }, [question], [say(...ANSWER)]);
  const reading = (at: number) =>
    callOf({ id: "c", at, attributes: who("main") }, [question, task, gives("t1", "42 files.")]);

  test("was asked by it", () => {
    const handed = ["s_d_out <- s_b.m1 inferred 0.9"];
    expect(handedBack([asking, tool, agent, call])).toEqual(handed);
    expect(handedBack([asking, tool, agent, call, reading(8)])).toEqual(handed);
  });

  test("is not known to have handed back what was read before the tool was done", () => {
    expect(handedBack([asking, tool, agent, call, reading(7)])).toEqual([]);
  });
});

describe("an agent that works in the background", () => {
  const asking = callOf({ id: "a", attributes: who("main") }, [question], [task]);
  const agent = (until: number) =>
    recordOf({
      id: "d",
      parent: "a",
      at: 2,
      until,
      attributes: { "gen_ai.operation.name": "invoke_agent", ...who("counter") },
    });
  const work = (until: number) =>
    callOf({ id: "b", parent: "d", at: 3, until }, [question], [say(...ANSWER)]);
  const told = callOf(
    {
      id: "c",
      at: 6,
      attributes: { ...who("main"), ...restsOn("s_000000000000000d", "handoff", "observed") },
    },
    [say("user", "The agent is done.")],
    [say("assistant", "42.")],
  );
  const handedTo = (records: readonly SpanRecord[]) =>
    sessionOf(records)
      .conversations.flatMap(({ steps }) => steps)
      .find(({ step_id: id }) => id === "s_000000000000000c")
      ?.edges?.filter(({ type }) => type === "handoff");

  test("hands its answer to the call that is told of it", () => {
    expect(handedTo([asking, agent(5), work(5), told])).toEqual([
      { to: "s_000000000000000b.m1", type: "handoff", origin: "observed" },
    ]);
  });

  test("stands for what it came to where that is not known", () => {
    const itself = [{ to: "s_000000000000000d", type: "handoff", origin: "observed" }];
    expect(handedTo([asking, agent(9), work(9), told])).toEqual(itself);
    expect(handedTo([asking, agent(5), told])).toEqual(itself);
  });
});
