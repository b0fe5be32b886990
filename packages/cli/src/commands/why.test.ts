import { expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { thoughtflow } from "../thoughtflow.ts";

const CLOCK = "It is 8:00.";

/** A session whose model call has a prompt of parts and a tool that failed once; ids as spans have them. */
function sessionText(id: string, clock = CLOCK): string {
  const prompt = `You are kind.\n${clock}`;
  return JSON.stringify({
    session_id: id,
    title: "The time in Perth",
    started_at: "2026-01-01T00:00:00.000Z",
    ended_at: `2026-01-01T00:00:0${id.length % 10}.000Z`,
    conversations: [
      {
        conversation_id: "r1",
        steps: [
          { step_id: "q", label: "user_message", payload_started: { text: "What time is it?" } },
          {
            step_id: "snp_context_00112233445566aa",
            label: "context.preamble",
            payload_started: { version: "00112233445566aa", content_preview: clock },
          },
          {
            step_id: "t1",
            label: "tool_call",
            payload_started: { name: "clock", args: {} },
            status: "error",
            error: { type: "Timeout", message: "after 3 s" },
          },
          {
            step_id: "t1_out",
            label: "tool_error",
            depends_on: "t1",
            payload_completed: { error: { type: "Timeout" } },
          },
          {
            step_id: "s_00000000000000ab",
            label: "assistant_call",
            depends_on: ["snp_context_00112233445566aa", "t1_out", "q"],
            edges: [
              { to: "q", type: "responds_to", origin: "observed" },
              { to: "t1_out", type: "reads", origin: "inferred", confidence: 0.8 },
            ],
            usage: { input_tokens: 40 },
            cost: { status: "priced", currency: "USD", total: "0.0004", input: "0.0002" },
            payload_started: {
              model: "m",
              input: ["q"],
              prompt_provenance: {
                parts: [
                  { type: "personality", value: "You are kind." },
                  { type: "context_preamble", value: clock, id: "clock" },
                ],
                final_prompt: prompt,
                assembly: [
                  { part: 0, start: 0, end: 13 },
                  { part: 1, start: 14, end: prompt.length },
                ],
                messages: [{ role: "system", start: 0, end: prompt.length }],
              },
            },
          },
          {
            step_id: "s_00000000000000ab.m1",
            label: "assistant_message",
            depends_on: "s_00000000000000ab",
            payload_completed: { text: "Eight\u001b[2J o'clock." },
          },
        ],
      },
    ],
  });
}

async function run(argv: readonly string[], files: Readonly<Record<string, string>>) {
  const io = capturedIo(directoryWith(files));
  const exitCode = await thoughtflow(argv, io);
  return { exitCode, stdout: io.stdout(), stderr: io.stderr() };
}

const one = { "thoughtflow/one.json": sessionText("one") };
const two = { ...one, "thoughtflow/another.json": sessionText("another", "It is 9:00.") };

test("why shows the last answer's causes as a tree, what failed first, each with how it is known", async () => {
  const { stdout, exitCode } = await run(["why", "latest"], one);
  expect(exitCode).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "Why s_0000.m1
    It rests on 1 model call, 1 user message, 1 tool error, 1 context preamble, 1 tool call.

    Look at this first
       ✗ tool clock  Timeout: after 3 s  t1
       ~ tool error Timeout  inferred 0.8  t1_out

    ✓ answer Eight o'clock.  s_0000.m1
    └─ ✓ model m  rests on, declared · s_0000
       │  prompt: personality 13 · context_preamble 11
       ├─ ✗ tool clock: Timeout: after 3 s  reads, inferred 0.8 · t1
       ├─ ✓ user What time is it?  answers, observed · q
       └─ ✓ context It is 8:00.  rests on, declared · snp_context_0011
    "
  `);
});

test("a long story is told line by line, only what else it rests on is set in", async () => {
  const steps: object[] = [
    { step_id: "p", label: "policy.snapshot", payload_started: { content_preview: "Be brief." } },
    { step_id: "q", label: "user_message", payload_started: { text: "Fix it." } },
  ];
  for (let turn = 1; turn <= 4; turn++) {
    const before = turn === 1 ? "q" : `t${turn - 1}_out`;
    steps.push(
      {
        step_id: `m${turn}`,
        label: "assistant_call",
        depends_on: turn === 3 ? ["p", before, "q"] : ["p", before],
        payload_started: { model: "m" },
      },
      {
        step_id: `t${turn}`,
        label: "tool_call",
        depends_on: `m${turn}`,
        payload_started: { name: "test", args: { turn } },
        ...(turn === 2 && { status: "error", error: { message: "exit 1" } }),
      },
      {
        step_id: `t${turn}_out`,
        label: turn === 2 ? "tool_error" : "tool_output",
        depends_on: `t${turn}`,
        payload_completed: turn === 2 ? { error: { message: "exit 1" } } : { result: "fine" },
      },
    );
  }
  const document = { session_id: "s", conversations: [{ conversation_id: "r", steps }] };
  const { stdout } = await run(["why", "t4_out"], {
    "thoughtflow/s.json": JSON.stringify(document),
  });
  expect(stdout).toMatchInlineSnapshot(`
    "Why t4_out
    It rests on 4 tool calls, 4 model calls, 2 tool outputs, 1 instruction, 1 tool error, 1 user
    message.
    Each line rests on the next one at its own depth, and on what is set in below it.

    Look at this first
       ✗ tool test { turn: 2 }  exit 1  t2

    ✓ tool test { turn: 4 } → fine  t4
    ✓ model m  rests on, declared · m4
    ├─ ✓ policy Be brief.  rests on, declared · p
    ✓ tool test { turn: 3 } → fine  rests on, declared · t3
    ✓ model m  rests on, declared · m3
    ├─ ✓ user Fix it.  rests on, declared · q
    ✗ tool test { turn: 2 }: exit 1  rests on, declared · t2
    ✓ model m  rests on, declared · m2
    ✓ tool test { turn: 1 } → fine  rests on, declared · t1
    ✓ model m  rests on, declared · m1
    └─ and also q
    "
  `);
});

test("of a step that is to be doubted for two reasons there is one line", async () => {
  const elsewhere = `${"f".repeat(32)}/s_00000000000000cd`;
  const steps = [
    { step_id: "q", label: "user_message", payload_started: { text: "alice: Done." } },
    {
      step_id: "m",
      label: "assistant_call",
      depends_on: ["q", elsewhere],
      edges: [
        { to: "q", type: "responds_to", origin: "observed" },
        { to: elsewhere, type: "handoff", origin: "inferred", confidence: 0.95 },
      ],
      payload_started: { model: "m" },
    },
  ];
  const document = { session_id: "s", conversations: [{ conversation_id: "r", steps }] };
  const { stdout } = await run(["why", "m"], { "thoughtflow/s.json": JSON.stringify(document) });
  const [, doubts = ""] = /Look at this first\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
  expect(doubts).toBe("   ? a step  in another session · inferred 0.95  ffff/s_0000");
});

test("however long an error is, the id of its step stays whole: it is what one looks at next", async () => {
  const steps = [
    {
      step_id: "s_00000000000000cd",
      label: "tool_call",
      payload_started: { name: "Bash", args: { command: "npm run a-script-with-a-long-name" } },
      status: "error",
      error: { type: "tool_error", message: `Exit code 1: ${"no such file ".repeat(9)}` },
    },
    { step_id: "m", label: "assistant_call", depends_on: "s_00000000000000cd" },
  ];
  const document = { session_id: "s", conversations: [{ conversation_id: "r", steps }] };
  const { stdout } = await run(["why", "m"], { "thoughtflow/s.json": JSON.stringify(document) });
  const [, doubts = ""] = /Look at this first\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
  expect(doubts).toMatch(/^ {3}✗ tool Bash \{ comm.*… {2}tool_error: Exit code 1: .*… {2}s_0000$/);
});

test("of many guesses the two least sure are named, what failed before them, and the rest is counted", async () => {
  const confidences = [0.9, 0.9, 0.6, 0.95, 0.9];
  const answers = confidences.map((_, at) => ({
    step_id: `a${at}`,
    label: "assistant_message",
    payload_completed: { text: `Part ${at}.` },
    ...(at === 3 && { status: "error", error: { message: "cut off" } }),
  }));
  const edges = answers.map(({ step_id: to }, at) => {
    return { to, type: "handoff", origin: "inferred", confidence: confidences[at] };
  });
  const call = {
    step_id: "m",
    label: "assistant_call",
    depends_on: answers.map(({ step_id }) => step_id),
    edges,
    payload_started: { model: "m" },
  };
  const document = {
    session_id: "s",
    conversations: [{ conversation_id: "r", steps: [...answers, call] }],
  };
  const { stdout } = await run(["why", "m"], { "thoughtflow/s.json": JSON.stringify(document) });
  expect(/Look at this first\n([\s\S]*?)\n\n/.exec(stdout)?.[1]?.split("\n")).toEqual([
    "   ✗ answer Part 3.  cut off · inferred 0.95  a3",
    "   ~ answer Part 2.  inferred 0.6  a2",
    "   ~ answer Part 0.  inferred 0.9  a0",
    "   … 2 more inferred, none less sure",
  ]);
});

test("why takes a step by its short name, of whichever session has it", async () => {
  const { stdout, exitCode } = await run(["why", "q", "--format", "raw"], two);
  expect({ exitCode, answer: JSON.parse(stdout) }).toEqual({
    exitCode: 0,
    answer: { session_id: "another", step_id: "q", run_id: "r1", label: "user_message" },
  });
  expect(await run(["why", "one", "t2"], two)).toMatchObject({
    exitCode: 3,
    stderr: "There is neither a session nor a step t2 in one. Did you mean t1?\n",
  });
});

test("prompt shows parts with places, tokens and cost", async () => {
  const { stdout } = await run(["prompt", "one", "--format", "json"], one);
  const { parts, tokens, cache } = JSON.parse(stdout);
  expect(tokens).toEqual({ total: 40, framing: 0, totalFrom: "provider", sharesFrom: "estimate" });
  expect(
    parts.map(({ type, range, tokens, cost }: Record<string, unknown>) => ({
      type,
      range,
      tokens,
      cost,
    })),
  ).toEqual([
    {
      type: "personality",
      range: { start: 0, end: 13 },
      tokens: 15,
      cost: "0.000075",
    },
    {
      type: "context_preamble",
      range: { start: 14, end: 25 },
      tokens: 10,
      cost: "0.00005",
    },
    { type: "user_instruction", tokens: 15, cost: "0.000075" },
  ]);
  expect(cache).toBeUndefined();
});

test("prompt counts with a tokenizer of the user's, and says what is wrong with another", async () => {
  const files = {
    ...one,
    "words.mjs": "export const countTokens = (text) => text.split(' ').length;",
    "nothing.mjs": "export const x = 1;",
  };
  const { stdout } = await run(["prompt", "one", "--tokenizer", "./words.mjs"], files);
  expect(stdout).toContain("40 tokens as the provider counted · input $0.00020\n");
  expect(stdout).toMatch(/▊·{9} +7\.5% +3 .*personality/);
  expect(stdout).toContain("(framing, and what the file does not hold)");
  expect(await run(["prompt", "one", "--tokenizer", "./nothing.mjs"], files)).toMatchObject({
    exitCode: 3,
    stderr: "--tokenizer ./nothing.mjs has neither countTokens(text) nor encode(text).\n",
  });
});

test("a step that comes from no model call has no prompt", async () => {
  expect(await run(["prompt", "one", "q"], one)).toMatchObject({
    exitCode: 3,
    stderr: "q is no model call and comes from none: it has no prompt.\n",
  });
});

test("impact finds what rests on a snapshot in every session", async () => {
  const { stdout, exitCode } = await run(["impact", "snp_context_0011"], two);
  expect(exitCode).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "What rests on snp_context_0011
    context It is 9:00.
    context It is 8:00.
    4 steps in 2 sessions: 2 model calls, 2 answers

    The time in Perth  another · 2 steps
       ✓ answer Eight o'clock.  s_0000.m1
       … and 1 model call

    The time in Perth  one · 2 steps
       ✓ answer Eight o'clock.  s_0000.m1
       … and 1 model call
    "
  `);
  const { stdout: ofPart } = await run(["impact", "clock"], two);
  expect(ofPart.split("\n").slice(0, 3)).toEqual([
    "What rests on clock",
    "a part of 2 prompts",
    "4 steps in 2 sessions: 2 model calls, 2 answers",
  ]);
  expect(await run(["impact", "clock", "--format", "raw"], one)).toMatchObject({ exitCode: 0 });
  expect(await run(["impact", "nobody"], two)).toMatchObject({ exitCode: 1, stdout: "" });
});

test("edges and labels may be called as anything that an object has", async () => {
  const steps = ["constructor", "__proto__"].map((label, at) => ({
    step_id: `n${at}`,
    label,
    ...(at > 0 && {
      depends_on: "n0",
      edges: [{ to: "n0", type: "constructor", origin: "declared" }],
    }),
  }));
  const document = { session_id: "s", conversations: [{ conversation_id: "r", steps }] };
  const cwd = directoryWith({ "thoughtflow/s.json": JSON.stringify(document) });
  const io = capturedIo(cwd);
  expect(await thoughtflow(["why", "n1"], io)).toBe(0);
  expect(io.stdout()).toContain("constructor, declared · n0");
});
