import type { Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { asks, callOf, gives, recordOf, say } from "../testing/record-of.ts";
import { sessionOf, storyOf } from "../testing/story-of.ts";
import { assemble } from "./assemble.ts";

const question = say("user", "Weather in Perth?");
const answer = say("assistant", "Sunny.");
const aloud = (id: string, args: unknown) => asks(id, "think_aloud", args);

const plan = say(
  "assistant",
  aloud("t1", {
    thought_id: "plan",
    thought: "Look first.",
    thought_type: "planning",
    confidence: 0.9,
  }),
  asks("c1", "weather", { city: "Perth" }),
);
const planned = [gives("t1", '{"acknowledged":true,"thoughtId":"plan"}'), gives("c1", "sunny")];
const seen = say(
  "assistant",
  aloud("t2", { thought: "Sunny, then.", thought_type: "observation", related_to: "c1" }),
  aloud("t3", {
    thought_id: "plan",
    thought: "Enough.",
    thought_type: "reflection",
    related_to: "plan",
  }),
);
const told = [
  gives("t2", '{"acknowledged":true,"thoughtId":"thought-2"}'),
  gives("t3", '{"acknowledged":true,"thoughtId":"plan~2","error":"used before"}'),
];
const loop = [
  recordOf({ id: "f", until: 9, attributes: { "thoughtflow.origin": "derived" } }),
  callOf({ id: "a", parent: "f", at: 1 }, [question], [plan]),
  callOf({ id: "b", parent: "f", at: 3 }, [question, plan, ...planned], [seen]),
  callOf({ id: "c", parent: "f", at: 5 }, [question, plan, ...planned, seen, ...told], [answer]),
];

const thoughtsOf = (steps: readonly Step[]) => steps.filter(({ label }) => label === "thought");
const stepsOf = (records: Parameters<typeof sessionOf>[0]) =>
  sessionOf(records).conversations.flatMap((run) => run.steps);

test("thoughts that a model says by the tool are steps, by the ids that the tool gave them", () => {
  expect(storyOf(loop)).toEqual([
    "run r_f completed",
    "user_message s_a.u1",
    "assistant_call s_a <- s_a.u1",
    "thought plan <- s_a",
    "tool_call s_a.t2 <- s_a",
    "tool_output s_a.t2_out <- s_a.t2",
    "assistant_call s_b <- plan s_a.t2_out",
    "thought thought-2 <- s_b s_a.t2",
    "thought plan~2 <- s_b plan",
    "assistant_call s_c <- thought-2 plan~2",
    "assistant_message s_c.m1 <- s_c",
  ]);
  const thoughts = thoughtsOf(stepsOf(loop));
  expect(thoughts.map((step) => step.payload_started)).toEqual([
    {
      thought_id: "plan",
      thought: "Look first.",
      thought_type: "planning",
      confidence: 0.9,
      call_id: "t1",
      thoughtNumber: 1,
    },
    {
      thought_id: "thought-2",
      thought: "Sunny, then.",
      thought_type: "observation",
      related_to: "c1",
      call_id: "t2",
      thoughtNumber: 2,
    },
    {
      thought_id: "plan~2",
      thought: "Enough.",
      thought_type: "reflection",
      related_to: "plan",
      call_id: "t3",
      thoughtNumber: 3,
    },
  ]);
  expect(thoughts[2]?.edges?.map(({ to, type, origin }) => [to, type, origin])).toEqual([
    ["s_000000000000000b", "requests", "observed"],
    ["thought-2", "follows", "observed"],
    ["plan", "related_to", "observed"],
  ]);
  expect(thoughts[2]?.payload_completed).toMatchObject({ result: { error: "used before" } });
});

test("the order in which records come makes no difference", () => {
  const whole = assemble(loop);
  for (const order of [loop.toReversed(), [...loop.slice(2), ...loop, ...loop.slice(0, 2)]])
    expect(assemble(order)).toEqual(whole);
});

test("without an answer the model's own name counts, told apart where it is taken", () => {
  const twice = say(
    "assistant",
    aloud("t1", { thought_id: "a", thought: "1" }),
    aloud("t2", { thought_id: "a", thought: "2" }),
    aloud("t3", { thought: "3" }),
  );
  const ids = thoughtsOf(stepsOf([callOf({ id: "a", at: 1 }, [question], [twice])]));
  expect(ids.map(({ step_id }) => step_id)).toEqual([
    "a",
    "a~0000",
    "thought_s_000000000000000a.t3",
  ]);
});

test("thoughts that are about one another don't go in circles", () => {
  const circle = say(
    "assistant",
    aloud("t1", { thought_id: "a", thought: "1", related_to: "b" }),
    aloud("t2", { thought_id: "b", thought: "2", related_to: "a" }),
    aloud("t3", { thought_id: "c", thought: "3", related_to: "c" }),
    aloud("t4", { thought_id: "d", thought: "4", related_to: "nowhere" }),
  );
  const session = sessionOf([callOf({ id: "a", at: 1 }, [question], [circle])]);
  expect(session.warnings?.map(({ code, message }) => [code, message])).toEqual([
    ["dangling_dependency", 'no step has the id "nowhere"'],
  ]);
});

test("derived thoughts are numbered after the recorded ones, and follow what was thought before them", () => {
  const recorded = recordOf({
    id: "d",
    parent: "f",
    at: 2,
    name: "thought",
    attributes: {
      "thoughtflow.step.label": "thought",
      "thoughtflow.step.id": "own",
      "thoughtflow.thought.number": 7,
    },
    content: {
      "thoughtflow.step.started": { thought_id: "own", thought: "Hm.", thoughtNumber: 7 },
    },
  });
  const thoughts = thoughtsOf(stepsOf([...loop, recorded]));
  const follows = (step: Step) => step.edges?.find(({ type }) => type === "follows")?.to;
  expect(
    thoughts.map((step) => [step.step_id, step.payload_started?.["thoughtNumber"], follows(step)]),
  ).toEqual([
    ["plan", 8, undefined],
    ["own", 7, undefined],
    ["thought-2", 9, "own"],
    ["plan~2", 10, "thought-2"],
  ]);
});

test("a thought that was executed here is one step, joined to the call that asked", () => {
  const executed = recordOf({
    id: "d",
    parent: "f",
    at: 2,
    name: "thought",
    attributes: {
      "thoughtflow.step.label": "thought",
      "thoughtflow.step.id": "plan",
      "gen_ai.tool.call.id": "t1",
    },
    content: {
      "thoughtflow.step.started": { thought_id: "plan", thought: "Look first.", call_id: "t1" },
    },
  });
  const [first, ...others] = thoughtsOf(stepsOf([...loop.slice(0, 3), executed]));
  expect(others.map(({ origin }) => origin)).toEqual(["derived", "derived"]);
  expect(first).toMatchObject({
    step_id: "plan",
    origin: "recorded",
    depends_on: "s_000000000000000a",
    payload_started: { thought_id: "plan", thought: "Look first.", call_id: "t1" },
  });
});

test("reasoning and thoughts in tags are thoughts of the call, before what it answers", () => {
  const reasoned = say(
    "assistant",
    { type: "reasoning", content: "It is summer there." },
    { type: "reasoning", content: "So it is warm." },
    'Hm. <thinking type="critique" id="doubt" confidence="0.4">Is it?</thinking> Warm, `<thinking>` says.',
  );
  const steps = stepsOf([callOf({ id: "a", at: 1 }, [question], [reasoned])]);
  expect(steps.map(({ label, step_id }) => [label, step_id])).toEqual([
    ["user_message", "s_000000000000000a.u1"],
    ["assistant_call", "s_000000000000000a"],
    ["thought", "thought_s_000000000000000a.r1"],
    ["thought", "doubt"],
    ["assistant_message", "s_000000000000000a.m1"],
  ]);
  expect(thoughtsOf(steps).map((step) => step.payload_started)).toEqual([
    {
      thought_id: "thought_s_000000000000000a.r1",
      thought: "It is summer there.\nSo it is warm.",
      thought_type: "reasoning",
      source: "reasoning",
      thoughtNumber: 1,
    },
    {
      thought_id: "doubt",
      thought: "Is it?",
      thought_type: "critique",
      confidence: 0.4,
      source: "content",
      thoughtNumber: 2,
    },
  ]);
  expect(sessionOf([callOf({ id: "a", at: 1 }, [question], [reasoned])]).title).toBe(
    "Weather in Perth?",
  );
});

test("a session is called after what was typed, not after the notes before it", () => {
  const noted = say("user", "<open_file>a.md is open.</open_file>\nWeather in Perth?");
  expect(sessionOf([callOf({ id: "a", at: 1 }, [noted], [])]).title).toBe("Weather in Perth?");
  const caveat = say("user", "<local-command-caveat>Don't answer.</local-command-caveat>");
  expect(sessionOf([callOf({ id: "a", at: 1 }, [caveat, noted], [])]).title).toBe(
    "Weather in Perth?",
  );
});

test("arguments that are no JSON are a thought all the same", () => {
  const [step] = thoughtsOf(
    stepsOf([callOf({ id: "a", at: 1 }, [question], [say("assistant", aloud("t1", "{broken"))])]),
  );
  expect(step?.payload_started).toMatchObject({ thought: "{broken", thought_type: "reasoning" });
});
