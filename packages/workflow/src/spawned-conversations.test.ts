import type { GenAiMessage } from "@thoughtflow/semconv";
import { expect, test } from "vitest";
import { ask, say, task, toldBack } from "../testing/ask.ts";
import { createSessionInference } from "./session-inference.ts";
import { createSpawnMemory } from "./spawn-memory.ts";

test("a conversation that begins with what a waiting tool call was given belongs to its session", () => {
  const inference = createSessionInference();
  const parent = ask(inference, [say("user", "How large is it?")]);
  parent.answer(task("Count the files of\nthis project."));
  const child = ask(inference, [say("user", "Count the files of this  project.")]);
  expect(child).toMatchObject({
    sessionId: parent.sessionId,
    origin: "inferred",
    confidence: 0.95,
    known: 0,
    spawn: { ending: { spanId: parent.spanId }, toolCallId: "t1", toolCall: 1 },
  });
  expect(child.continues).toBeUndefined();
  child.answer(say("assistant", "42 files"));
  const back = [say("user", "How large is it?"), task("Count the files of\nthis project.")];
  const next = ask(inference, [...back, toldBack()]);
  expect(next.continues?.spanId).toBe(parent.spanId);
  const again = [say("user", "Count the files of this  project."), say("assistant", "42 files")];
  expect(ask(inference, [...again, say("user", "Hidden ones too?")])).toMatchObject({
    sessionId: parent.sessionId,
    continues: { spanId: child.spanId },
  });
});

test("somebody who says the same once the tool has answered has nothing to do with it", () => {
  const inference = createSessionInference();
  const asked = [say("user", "Look it up"), task("weather in Berlin today")];
  ask(inference, asked.slice(0, 1)).answer(task("weather in Berlin today"));
  const parent = ask(inference, [...asked, toldBack()]);
  const other = ask(inference, [say("user", "weather in Berlin today")]);
  expect(other).toMatchObject({ origin: "observed" });
  expect(other.spawn).toBeUndefined();
  expect(other.sessionId).not.toBe(parent.sessionId);
});

const background = (words: string) => {
  const prompt = `Count the files of this project. ${words.repeat(40)}`;
  return { prompt, history: [say("user", "Begin"), task(prompt), toldBack()] };
};

test("an agent that begins once its tool call was answered is found by a long prompt, else in a known session", () => {
  for (const { place = {}, words, confidence } of [
    { words: "in all", confidence: 0.7 },
    { words: "", confidence: undefined },
    { words: "", place: { sessionId: "s" }, confidence: 0.95 },
  ]) {
    const { prompt, history } = background(words);
    const inference = createSessionInference();
    const parent = ask(inference, history.slice(0, 1), place);
    parent.answer(task(prompt));
    ask(inference, history, place).answer(say("assistant", "It works on it."));
    const child = ask(inference, [say("user", prompt)], place);
    const spawn = { ending: { spanId: parent.spanId }, toolCallId: "t1", confidence };
    if (confidence === undefined) expect(child.spawn).toBeUndefined();
    else expect(child).toMatchObject({ sessionId: parent.sessionId, spawn });
  }
});

test("a few words began an agent only as a prompt that is waited for, and soon", () => {
  const spawnOf = (args: Record<string, string>, ms = 1, isAnswered = false) => {
    const memory = createSpawnMemory(10, "recent");
    const conversation = { id: "c", sessionId: "s" };
    const ending = { conversation, traceId: "t", spanId: "c", continued: isAnswered };
    memory.asked(ending, 0, [{ type: "tool_call", name: "ask", arguments: args }]);
    return memory.spawnOf(() => ["San Francisco"], ms, undefined)?.confidence;
  };
  expect(spawnOf({ prompt: "San Francisco" })).toBe(0.7);
  expect(spawnOf({ city: "San Francisco" })).toBeUndefined();
  expect(spawnOf({ prompt: "San Francisco" }, 3_000_000)).toBeUndefined();
  expect(spawnOf({ prompt: "San Francisco" }, 1, true)).toBeUndefined();
});

/** What finds the tool call that began a conversation, of those of one answer. */
function memoryOf(...inputs: readonly object[]) {
  const memory = createSpawnMemory(10, "recent");
  const conversation = { id: "c", sessionId: "s" };
  const ending = { conversation, traceId: "t", spanId: "c", continued: false };
  const calls = inputs.map((input) => ({
    type: "tool_call" as const,
    name: "ask",
    arguments: input,
  }));
  memory.asked(ending, 0, calls);
  return (words: string) => {
    const { toolCall, confidence } = memory.spawnOf(() => [words], 1, undefined) ?? {};
    return toolCall === undefined ? undefined : [toolCall, confidence];
  };
}

test("a tool call may ask for several agents at once, whose prompts stand in lists and in what it holds", () => {
  const [one, two] = ["Count the files of this project.", "Count the lines of that file."];
  const spawnOf = memoryOf(
    { agent: "reader", task: "Read the manual first." },
    {
      mode: "parallel",
      tasks: [
        { agent: "a", task: one },
        { agent: "b", task: two },
      ],
    },
    { plan: { steps: [{ prompts: [two, "Say what is missing."] }] } },
  );
  expect(spawnOf(one)).toEqual([2, 0.95]);
  expect(spawnOf("Say what is missing.")).toEqual([3, 0.95]);
  // Two calls hold it.
  expect([spawnOf(two), spawnOf(two), spawnOf(two)]).toEqual([[2, 0.475], [3, 0.475], undefined]);
});

test("nested texts that are no prompts began nobody, nor what is nested without end", () => {
  const words = "Count the files of this project.";
  const deep = { task: words };
  const spawnOf = memoryOf(
    { todos: [{ content: words, activeForm: words }] },
    Array.from({ length: 40 }).reduce<object>((inner) => ({ inner }), deep),
    {
      tasks: [
        ...Array.from({ length: 1_000 }, (_, n) => ({ task: `Count the files of ${n}.` })),
        deep,
      ],
    },
  );
  expect(spawnOf(words)).toBeUndefined();
  expect(spawnOf("Count the files of 7.")).toEqual([3, 0.95]);
});

test("what a tool call told may stand behind a label, which is no part of it", () => {
  const spawnOf = memoryOf({ task: "Count the files of this project." }, { task: "count: a b c" });
  expect(spawnOf("Task: Count the files of this project.")).toEqual([1, 0.95]);
  expect(spawnOf("Task: count: a b c")).toEqual([2, 0.7]);
  expect(spawnOf("This is another thing: Count the files of this project.")).toBeUndefined();
});

test.each([
  ["none", undefined],
  ["an empty one", ""],
  ["the same one", "call_0"],
])("of calls that still stream each is read by itself, also where their id is %s", (_, id) => {
  const memory = createSpawnMemory(10, "recent");
  const conversation = { id: "c", sessionId: "s" };
  const ending = { conversation, traceId: "t", spanId: "c", continued: false };
  const words = ["Count the files of this project.", "Count the lines of that file."];
  let length = 20;
  memory.asking(ending, 0, () =>
    words.map((prompt) => ({
      type: "tool_call",
      name: "ask",
      ...(id !== undefined && { id }),
      arguments: JSON.stringify({ prompt }).slice(0, length),
    })),
  );
  const callsOf = () =>
    words.map((prompt) => memory.spawnOf(() => [prompt], 1, undefined)?.toolCall);
  expect(callsOf()).toEqual([undefined, undefined]);
  length = 1_000;
  expect(callsOf()).toEqual([1, 2]);
});

test("of two that gave the same long prompt the one that still waits has begun the agent", () => {
  const { prompt, history } = background("twice ");
  const inference = createSessionInference();
  ask(inference, history.slice(0, 1)).answer(task(prompt));
  ask(inference, history).answer(say("assistant", "It works on it."));
  const waiting = ask(inference, [say("user", "Begin again")]);
  waiting.answer(task(prompt, "t2"));
  const { spawn } = ask(inference, [say("user", prompt)]);
  expect(spawn).toMatchObject({ ending: { spanId: waiting.spanId }, confidence: 0.475 });
});

test("a declared session stays, and tells who asked when that was in the same one", () => {
  const inference = createSessionInference();
  const here = { sessionId: "here" };
  ask(inference, [say("user", "Go")], here).answer(task("Count the files of this project."));
  const words = [say("user", "Count the files of this project.")];
  expect(ask(inference, words, { sessionId: "there" }).spawn).toBeUndefined();
  expect(ask(inference, words, here)).toMatchObject({
    sessionId: "here",
    origin: "declared",
    spawn: { toolCall: 1 },
  });
});

test("two agents of one session that were given and said the same words stay two", () => {
  const inference = createSessionInference();
  const place = { sessionId: "s" };
  const begin = () => [say("user", "Same words"), say("assistant", "Same answer")];
  const firsts = [1, 2].map(() => ask(inference, begin().slice(0, 1), place));
  for (const first of firsts) first.answer(say("assistant", "Same answer"));
  const nexts = [1, 2].map((n) => ask(inference, [...begin(), say("user", `for ${n}`)], place));
  expect(nexts.map(({ continues }) => continues?.spanId)).toEqual(
    firsts.map(({ spanId }) => spanId),
  );
});

test("a conversation belongs to an answer that is still coming, and each tool call of it begins one", () => {
  const inference = createSessionInference();
  const words = [say("user", "Count the files of this project.")];
  const parent = ask(inference, [say("user", "How large is it?")]);
  const answer = task("Count the files of this project.");
  const looked: number[] = [];
  const soFar = (parts: GenAiMessage["parts"]) => () => {
    looked.push(parts.length);
    return [{ ...answer, parts }];
  };
  inference.answering(parent, soFar([]));
  expect(ask(inference, words).spawn).toBeUndefined();
  inference.answering(parent, soFar([]));
  inference.answering(parent, soFar(answer.parts));
  const child = ask(inference, words);
  expect(child).toMatchObject({
    sessionId: parent.sessionId,
    spawn: { ending: { spanId: parent.spanId }, toolCall: 1, confidence: 0.95 },
  });
  expect(looked).toEqual([0, 1]);
  parent.answer(answer);
  expect(ask(inference, words).spawn).toBeUndefined();
});

test("a conversation belongs to a tool call of which more is to come, once what it begins with is whole", () => {
  const inference = createSessionInference();
  const prompt = "Count the files of this project.";
  const parent = ask(inference, [say("user", "How large is it?")]);
  let told = "";
  inference.answering(parent, () => [
    {
      role: "assistant",
      parts: [{ type: "tool_call", id: "t1", name: "delegate", arguments: told }],
    },
  ]);
  const begun = [];
  for (const so of [`{"prompt":"${prompt}`, '","description":"Cou', 'nt"']) {
    told += so;
    begun.push(ask(inference, [say("user", prompt)]));
  }
  const { sessionId } = parent;
  const [early, soon, again] = begun;
  expect(early?.spawn).toBeUndefined();
  expect(soon).toMatchObject({ sessionId, spawn: { toolCallId: "t1", confidence: 0.95 } });
  expect(again?.spawn).toBeUndefined();
  parent.answer(task(prompt));
  expect(ask(inference, [say("user", prompt)]).spawn).toBeUndefined();
});

test("however much of a tool call's argument there is before it is whole, conversations are placed", () => {
  const inference = createSessionInference();
  const parent = ask(inference, [say("user", "How large is it?")]);
  const content = "\\n0123456789".repeat(1_500_000);
  inference.answering(parent, () => [
    {
      role: "assistant",
      parts: [{ type: "tool_call", id: "t1", name: "write", arguments: `{"content":"${content}` }],
    },
  ]);
  expect(ask(inference, [say("user", "Something else")]).spawn).toBeUndefined();
});

test("an answer that can't be read is a problem once", () => {
  const inference = createSessionInference();
  const parent = ask(inference, [say("user", "How large is it?")]);
  const other = ask(inference, [say("user", "How small is it?")]);
  inference.answering(parent, () => {
    throw new Error("No answer");
  });
  expect(() => ask(inference, [say("user", "Something else")])).toThrow("No answer");
  const prompt = "Count the files of this project.";
  inference.answering(other, () => [task(prompt)]);
  expect(ask(inference, [say("user", prompt)]).spawn?.ending.spanId).toBe(other.spanId);
});
