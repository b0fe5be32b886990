import type { Session, Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { sessionOf, step } from "../testing/session-of.ts";
import { cachePrefixOf, previousCall } from "./cache-prefix.ts";
import { costShares } from "./cost-shares.ts";
import { promptOf } from "./prompt-of.ts";
import { tokenShares } from "./token-shares.ts";

const tools = step("snp_tools_1", "tool.schemas.snapshot", [], {
  payload_started: { schemas: [{ name: "clock" }] },
});
const policy = step("snp_policy_1", "policy.snapshot", [], {
  payload_started: { content_preview: "Be brief." },
});
const said = (id: string, text: string): Step =>
  step(id, "user_message", [], { payload_started: { text } });

function composed(id: string, clock: string, question: string, more: Partial<Step> = {}): Step {
  const texts = ["You are kind.", `It is ${clock}.`, question];
  const final_prompt = texts.join("\n");
  let at = 0;
  const assembly = texts.map((text, part) => {
    const start = at;
    at += text.length + 1;
    return { part, start, end: start + text.length };
  });
  const system = texts.slice(0, 2).join("\n").length;
  const parts = ["personality", "context_preamble", "user_instruction"].map((type, i) => ({
    type,
    value: texts[i],
  }));
  return step(id, "assistant_call", ["snp_tools_1"], {
    payload_started: {
      model: "m",
      input: [`${id}q`],
      prompt_provenance: {
        parts: [...parts, { type: "tool_schemas_snapshot", value: "tools:1" }],
        final_prompt,
        assembly,
        messages: [
          { role: "system", start: 0, end: system },
          { role: "user", start: system + 1, end: final_prompt.length },
        ],
      },
    },
    ...more,
  });
}

const session = sessionOf(
  [
    tools,
    said("aq", "Time?"),
    composed("a", "8:00", "Time?"),
    step("a1", "assistant_message", ["a"], { payload_completed: { text: "Eight." } }),
  ],
  [
    said("bq", "And now?"),
    composed("b", "8:05", "And now?", {
      usage: { input_tokens: 100 },
      payload_started: {
        ...composed("b", "8:05", "And now?").payload_started,
        input: ["r1/a", "bq"],
      },
    }),
  ],
);

function callIn({ conversations }: Session, id: string) {
  for (const run of conversations) {
    const found = run.steps.find((one) => one.step_id === id);
    if (found !== undefined) return { run, step: found };
  }
  throw new Error(`no step ${id}`);
}

test("a prompt is tools, instructions by part, history, and what was said last by part", () => {
  const { segments, beside } = promptOf(session, callIn(session, "b"));
  expect(segments.map(({ type, text, range }) => [type, text, range?.start])).toEqual([
    ["tool_schemas_snapshot", '[{"name":"clock"}]', undefined],
    ["personality", "You are kind.", 0],
    ["context_preamble", "It is 8:05.", 14],
    ["history", "Time?", undefined],
    ["history", "Eight.", undefined],
    ["user_instruction", "And now?", 26],
  ]);
  expect(beside.map(({ text }) => text)).toEqual(["tools:1"]);
});

test("without a word of the program a prompt is its snapshots and messages", () => {
  const plain = sessionOf([
    tools,
    policy,
    said("q", "Time?"),
    step("m", "assistant_call", ["snp_policy_1", "snp_tools_1", "q"], {
      payload_started: { input: ["q"] },
    }),
  ]);
  expect(
    promptOf(plain, callIn(plain, "m")).segments.map(({ type, text }) => [type, text]),
  ).toEqual([
    ["tool_schemas_snapshot", '[{"name":"clock"}]'],
    ["policy", "Be brief."],
    ["user_instruction", "Time?"],
  ]);
});

test("what broke the cache is the part in which two prompts part ways", () => {
  const call = callIn(session, "b");
  const earlier = previousCall(session, call);
  expect(earlier?.step.step_id).toBe("a");
  if (earlier === undefined) return;
  expect(cachePrefixOf(promptOf(session, call), promptOf(session, earlier))).toMatchObject({
    segments: 2,
    broken: { segment: { type: "context_preamble" }, at: 9 },
  });
  expect(previousCall(session, earlier)).toBeUndefined();
});

test("a prompt is compared with the one before it of the same agent", () => {
  const by = (id: string, agent_id: string): Step =>
    step(id, "assistant_call", [], { agent_id, payload_started: { model: "m" } });
  const calls = [by("a1", "main"), by("b1", "child"), by("a2", "main"), by("b2", "child")];
  const of = sessionOf(calls);
  expect(calls.map(({ step_id: id }) => previousCall(of, callIn(of, id))?.step.step_id)).toEqual([
    undefined,
    undefined,
    "a1",
    "b1",
  ]);
});

/** What a call was given: tools, instructions, and messages. */
function callGiven(id: string, snapshots: readonly string[], input: readonly string[]): Step {
  return step(id, "assistant_call", [...snapshots, ...input], { payload_started: { input } });
}

test.each([
  ["tools that are gone", ["p", "t"], ["q"], ["p"], ["q"], "dropped", "tool_schemas_snapshot"],
  ["tools that came", ["p"], ["q"], ["p", "t"], ["q"], "added", "tool_schemas_snapshot"],
  ["other tools", ["t", "p"], ["q"], ["t2", "p"], ["q"], "changed", "tool_schemas_snapshot"],
  [
    "another policy without tools",
    ["t", "p"],
    ["q"],
    ["p2"],
    ["q"],
    "dropped",
    "tool_schemas_snapshot",
  ],
  [
    "a history that lost its beginning",
    ["p"],
    ["q", "q2", "q3"],
    ["p"],
    ["q2", "q3"],
    "dropped",
    "history",
  ],
  [
    "a history with something between",
    ["p"],
    ["q", "q3"],
    ["p"],
    ["q", "q2", "q3"],
    "added",
    "history",
  ],
  ["a prompt that ends early", ["p"], ["q", "q2"], ["p"], ["q"], "dropped", "user_instruction"],
] as const)("%s are blamed for the broken cache", (_, had, gave, has, gives, how, type) => {
  const texts = (id: string, text: string) =>
    step(id, "policy.snapshot", [], { payload_started: { content: text } });
  const tool = (id: string, name: string) =>
    step(id, "tool.schemas.snapshot", [], { payload_started: { schemas: [{ name }] } });
  const two = sessionOf([
    ...[texts("p", "You are kind."), texts("p2", "You are brief.")],
    ...[tool("t", "clock"), tool("t2", "calendar")],
    ...[said("q", "Time?"), said("q2", "You there?"), said("q3", "And now?")],
    callGiven("before", had, gave),
    callGiven("now", has, gives),
  ]);
  const [before, now] = ["before", "now"].map((id) => promptOf(two, callIn(two, id)));
  expect(now && before && cachePrefixOf(now, before).broken).toMatchObject({
    how,
    segment: { type },
  });
});

test("what came from the cache is a beginning, and cost what the cache costs", () => {
  const cached = sessionOf([
    policy,
    said("q", "x".repeat(36)),
    step("m", "assistant_call", ["snp_policy_1"], {
      payload_started: { input: ["q"] },
      usage: { input_tokens: 120, cache_read_input_tokens: 60 },
      cost: {
        status: "priced",
        currency: "USD",
        total: "0.001",
        input: "0.00066",
        cached_input: "0.00006",
      },
    }),
  ]);
  const prompt = promptOf(cached, callIn(cached, "m"));
  const shares = tokenShares(prompt);
  expect([shares.tokens, shares.cached]).toEqual([
    [30, 90],
    [30, 30],
  ]);
  expect(costShares(prompt, shares)).toEqual({ segments: ["0.00003", "0.00063"], framing: "0" });
});

test("a thought that was given to the tool is its call, and what the tool answered", () => {
  const loop = sessionOf([
    said("q", "Time?"),
    callGiven("m1", [], ["q"]),
    step("plan", "thought", ["m1"], {
      payload_started: { thought: "Look." },
      payload_completed: { result: { acknowledged: true, thoughtId: "plan" } },
    }),
    callGiven("m2", [], ["m1", "plan"]),
  ]);
  expect(
    promptOf(loop, callIn(loop, "m2")).segments.map(({ type, text, role }) => [type, text, role]),
  ).toEqual([
    ["user_instruction", "Time?", "user"],
    ["history", "Look.", "assistant"],
    ["tool_output", '{"acknowledged":true,"thoughtId":"plan"}', "tool"],
  ]);
});

test("a prompt that goes on from the earlier one breaks nothing", () => {
  const steps = [
    said("q", "Time?"),
    step("m1", "assistant_call", [], { payload_started: { input: ["q"] } }),
    step("t", "tool_call", ["m1"], { payload_started: { name: "clock", args: {} } }),
    step("o", "tool_output", ["t"], { payload_completed: { result: "8:00" } }),
    step("m2", "assistant_call", [], { payload_started: { input: ["m1", "o"] } }),
  ];
  const loop = sessionOf(steps);
  const [before, now] = [callIn(loop, "m1"), callIn(loop, "m2")].map((call) =>
    promptOf(loop, call),
  );
  expect(now && before && cachePrefixOf(now, before)).toEqual({
    previous: callIn(loop, "m1"),
    segments: 1,
  });
});

test("shares add up to what the provider counted", () => {
  const prompt = promptOf(session, callIn(session, "b"));
  const shares = tokenShares(prompt);
  expect(shares).toMatchObject({
    total: 100,
    framing: 0,
    totalFrom: "provider",
    sharesFrom: "estimate",
  });
  expect(shares.tokens.reduce((sum, one) => sum + one, 0)).toBe(100);
  expect(tokenShares(prompt, (text) => text.split(" ").length)).toEqual({
    tokens: [7, 3, 3, 1, 1, 2],
    cached: [0, 0, 0, 0, 0, 0],
    total: 100,
    framing: 83,
    totalFrom: "provider",
    sharesFrom: "tokenizer",
  });
  expect(tokenShares(promptOf(session, callIn(session, "a"))).totalFrom).toBe("estimate");
});

test.each([
  [undefined],
  [7],
  [{ parts: "no", assembly: 3 }],
  [{ parts: [null, 4, {}], assembly: [{ part: 0, start: 9, end: 2 }, null], final_prompt: 5 }],
  [{ parts: [{ type: "a" }], final_prompt_of: "nobody", messages: [{ role: 7 }] }],
])("a provenance of any shape can be read: %j", (prompt_provenance) => {
  const odd = sessionOf([
    step("m", "assistant_call", [], { payload_started: { prompt_provenance, input: 7 } }),
  ]);
  expect(() => promptOf(odd, callIn(odd, "m"))).not.toThrow();
});
