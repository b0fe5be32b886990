import { expect, test } from "vitest";
import { conversation, seedSession, toolLoop } from "../fixtures/sessions.ts";
import type { Renderer } from "./renderer.ts";
import { thread } from "./thread.ts";
import { tree } from "./tree.ts";

test("a tree has a line a step, with state, summary, duration, tokens and what it rests on", () => {
  expect(tree.render(toolLoop, { width: 120 })).toBe(
    [
      "✓ Is it warmer in Lisbon or in Oslo this weekend, and what should I pack?",
      "completed · 6.1 s · 1 run · 14 steps · 3 model calls · 4 tool calls · 2 errors · 3,120 → 412 tokens",
      "s_4bf92f3577b34da6a3ce929d0e0e4736",
      "└─ ✓ Run 1 r_00f067aa0ba902b7  completed · 6.1 s",
      "   ├─ ✓ user s_a1b2.u1  Is it warmer in Lisbon or in Oslo this weekend, and what should I pack?",
      "   ├─ ✓ model s_a1b2  gpt-5-mini → get_forecast ×2, search_packing_lists  1.5 s · 620 → 96 tokens  ← s_a1b2.u1",
      '   ├─ ✓ tool s_b1  get_forecast { city: "Lisbon" }  710 ms  ← s_a1b2',
      '   ├─ ✓ output s_b1_out  { high: 21, low: 13, sky: "clear" }  ← s_b1',
      '   ├─ ✗ tool s_b2  get_forecast { city: "Oslo" }: TimeoutError: forecast service gave no answer  458 ms  ← s_a1b2',
      "   ├─ ✗ tool error s_b2_err  TimeoutError: forecast service gave no answer  ← s_b2",
      "   ├─ ✓ tool s_b3  search_packing_lists { days: 2 }  1.4 s  ← s_a1b2",
      "   ├─ ✓ model s_c1  gpt-5-mini → get_forecast  780 ms · 1,150 → 64 tokens  ← s_b1_out, s_b2_err, s_b3",
      "   ├─ ✓ thought thought-1  decision: The Oslo call timed out; one retry is worth it.  ← s_c1",
      '   ├─ ✓ tool s_d1  get_forecast { city: "Oslo" }  570 ms  ← s_c1, thought-1, s_b2',
      '   ├─ ✓ output s_d1_out  { high: 4, low: -3, sky: "snow showers" }  ← s_d1',
      "   ├─ ✓ model s_e1  gpt-5-mini  1.8 s · 1,350 → 252 tokens  ← s_d1_out, s_b1_out",
      "   ├─ ✓ answer s_e1.m1  Lisbon, by far: 21 °C and clear against 4 °C and snow showers in Oslo. Pack light layer…  ← s_e1",
      "   └─ ✓ generic s_http  GET  695 ms",
      "",
    ].join("\n"),
  );
});

test("in ASCII and eighty columns the tree keeps its shape", () => {
  expect(tree.render(seedSession, { unicode: false, width: 80 })).toBe(
    [
      "+ what’s the weather today?",
      "30.0 s - 1 run - 9 steps - 1 model call - 1 tool call",
      "sess_1693660012345",
      "`- + Run 1 conv_1  completed - text - 4.6 s",
      "   |- + user s1  what’s the weather today?  50 ms",
      '   |- + tool s2  get_weather { city: "Canberra" }  200 ms  < s1',
      '   |- + output s2_out  { tempC: 13, conditions: "Showers" }  < s2',
      "   |- + policy snp_policy_ab12cd34  You are a fast voice AI assistant...  1 ms",
      "   |- + tool schemas snp_tools_ef56gh78  send_canvas, send_sms, get_note",
      '   |- + context snp_context_req_1693660296500  { channel: "text", currentTime:~',
      "   |- + adaptations s_adn  adn.safety.general",
      "   |- + model s_llm  gpt-5-mini  548 ms  < s1, snp_policy_ab12cd34 +3",
      "   `- + answer s3  In Canberra it's ~13°C with showers.  < s_llm",
      "",
    ].join("\n"),
  );
});

test("a narrow tree keeps whole figures of a run, and what all calls are given is named last", () => {
  const step = (step_id: string, label: string, depends_on: string[] = []) => ({
    step_id,
    label,
    depends_on,
  });
  const run = (conversation_id: string) => ({
    conversation_id,
    name: "A run with a name of some length",
    status: "completed" as const,
    duration_ms: 1300,
    steps: [
      step("snp_policy_1", "policy.snapshot"),
      step("u1", "user_message"),
      step("call", "assistant_call", ["snp_policy_1", "u1"]),
    ],
  });
  const session = { session_id: "s", conversations: [run("r1"), run("r2")] };
  expect(tree.render(session, { width: 76 }).split("\n").slice(2, 6)).toEqual([
    "├─ ✓ Run 1 r1  A run with a name of some length  completed · 1.3 s · 3 steps",
    "│  ├─ ✓ policy snp_policy_1",
    "│  ├─ ✓ user u1",
    "│  └─ ✓ model call  ← u1, snp_policy_1",
  ]);
});

test("figures of a session for which a line is too short go on in the next one", () => {
  expect(tree.render(conversation, { width: 60 }).split("\n").slice(1, 4)).toEqual([
    "active · 2 d · 4 runs · 23 steps · 5 model calls",
    "1 tool call · 1,830 → 44 tokens",
    "sess_weather",
  ]);
});

test("a session that is not over took at least as long as is known of its steps", () => {
  const step = (step_id: string, started_at: string, ended_at?: string) => ({
    ...{ step_id, label: "tool_call", started_at, ...(ended_at && { ended_at }) },
  });
  const steps = [
    step("t1", "2026-01-01T10:00:00.000Z", "2026-01-01T10:00:04.000Z"),
    step("t2", "2026-01-01T10:01:00.000Z"),
  ];
  const session = {
    session_id: "s",
    status: "active" as const,
    started_at: "2026-01-01T10:00:00.000Z",
    conversations: [{ conversation_id: "r", steps }],
  };
  const figuresOf = (more: object) => tree.render({ ...session, ...more }).split("\n")[1];
  expect(figuresOf({})).toMatch(/^active · at least 1 m · 1 run/);
  expect(figuresOf({ ended_at: "2026-01-01T10:02:00.000Z" })).toMatch(/^active · 2 m · 1 run/);
});

test("on a narrow line the title of a run leaves room for how it went", () => {
  const run = (conversation_id: string) => ({
    conversation_id,
    name: "create a folder weather and generate a single page",
    status: "completed" as const,
    duration_ms: 63_000,
    steps: [],
  });
  const session = { session_id: "s", conversations: [run("r_3e4efe19cdeb6bf3"), run("r_2")] };
  const lineAt = (width: number) => tree.render(session, { width }).split("\n")[2];
  expect([80, 120].map(lineAt)).toEqual([
    "├─ ✓ Run 1 r_3e4efe19cdeb6bf3  create a folder weathe…  completed · 1 m 3 s",
    "├─ ✓ Run 1 r_3e4efe19cdeb6bf3  create a folder weather and generate a single page  completed · 1 m 3 s · 0 steps",
  ]);
});

test("a run of an agent is named by the agent and what it was asked, on a narrow line by what it was asked alone", () => {
  const run = (conversation_id: string, text: string) => ({
    conversation_id,
    name: "Claude Code",
    steps: [{ step_id: "u", label: "user_message", payload_started: { text } }],
  });
  const conversations = [
    run("r_3e4efe19cdeb6bf3", "Add a GitHub Action that runs the tests"),
    run("r_49226bc0e40cacd2", "Wait, does it only run on main?"),
  ];
  const session = { session_id: "s", conversations };
  const runsAt = (renderer: Renderer, width: number) =>
    renderer
      .render(session, { width })
      .split("\n")
      .filter((line) => line.includes("Run "));
  expect(runsAt(tree, 140)).toEqual([
    "├─ ✓ Run 1 r_3e4efe19cdeb6bf3  Claude Code · Add a GitHub Action that runs the tests  1 step",
    "└─ ✓ Run 2 r_49226bc0e40cacd2  Claude Code · Wait, does it only run on main?  1 step",
  ]);
  expect(runsAt(tree, 80)).toEqual([
    "├─ ✓ Run 1 r_3e4efe19cdeb6bf3  Add a GitHub Action th…  1 step",
    "└─ ✓ Run 2 r_49226bc0e40cacd2  Wait, does it only run…  1 step",
  ]);
  expect(runsAt(thread, 100)).toEqual([
    "── Run 1: Claude Code · Add a GitHub Action that runs the tests",
    "── Run 2: Claude Code · Wait, does it only run on main?",
  ]);
});

test("a run is named by what was typed in it, whatever a program wrote before that, and else by that", () => {
  const command = "<command-name>/clear</command-name>";
  const caveat = "<local-command-caveat>Don't answer these.</local-command-caveat>";
  const stopped = "[Request interrupted by user]";
  const run = (conversation_id: string, ...texts: readonly string[]) => ({
    conversation_id,
    steps: texts.map((text, nth) => ({
      step_id: `u${nth}`,
      label: "user_message",
      payload_started: { text },
    })),
  });
  const conversations = [run("r_1", stopped, caveat, command, "Fix it."), run("r_2", command)];
  const lines = tree.render({ session_id: "s", conversations }).split("\n");
  expect(lines.filter((line) => line.includes("Run "))).toEqual([
    "├─ ✓ Run 1 r_1  Fix it.  4 steps",
    "└─ ✓ Run 2 r_2  /clear  1 step",
  ]);
});

test("a run that says nothing of itself is named by its id, once", () => {
  const conversations = ["r_1", "r_2"].map((id) => ({ conversation_id: id, steps: [] }));
  const silent = { schema_version: "1.0", session_id: "s", conversations } as const;
  expect(tree.render(silent).split("\n").slice(2)).toEqual([
    "├─ ✓ Run 1 r_1  0 steps",
    "└─ ✓ Run 2 r_2  0 steps",
    "",
  ]);
});

test("on a narrow line a failed tool still says why", () => {
  const steps = [
    {
      step_id: "t1",
      label: "tool_call",
      duration_ms: 5_000,
      payload_started: { name: "Bash", args: { command: `kubectl apply -f ${"x".repeat(90)}` } },
      error: { type: "tool_error", message: "Error: connection refused: dial tcp 10.0.0.1" },
    },
  ];
  const session = { session_id: "s", conversations: [{ conversation_id: "c", steps }] };
  const lineAt = (width: number) => tree.render(session, { width }).split("\n")[3];
  expect([60, 80, 120].map(lineAt)).toEqual([
    "   └─ ✗ tool t1  Bash: Error: connection refused:…  5.0 s",
    '   └─ ✗ tool t1  Bash { command: "kubectl…: Error: connection refused:…  5.0 s',
    '   └─ ✗ tool t1  Bash { command: "kubectl apply -f…: Error: connection refused: dial tcp 10.0.0.1  5.0 s',
  ]);
});

test("a thread reads like the conversation it was", () => {
  expect(thread.render(conversation, { run: "conv_2", width: 60 })).toBe(
    [
      "Weather in Canberra, and remembering where I live",
      "active · 2 d · 4 runs · 23 steps · 5 model calls",
      "1 tool call · 1,830 → 44 tokens",
      "sess_weather",
      "",
      "── Run 2: canberra",
      "   completed · text · 7.1 s · 7 steps · 2 model calls",
      "   1 tool call",
      "",
      "user · 10 ms",
      "   canberra",
      "",
      "thought · planning · 10 ms",
      "   A city in Australia; look up its coordinates first.",
      "",
      "model gpt-5 → get_weather_from_coords · 2.8 s",
      "tool get_weather_from_coords { latitude: -35.28, longitude:…",
      'output { temp: "2°C", summary: "chilly" }',
      "",
      "model gpt-5 · 2.7 s",
      "",
      "answer · 40 ms",
      "   In Canberra right now it’s about 2°C (very chilly).",
      "",
    ].join("\n"),
  );
});

test("colours are the only escape sequences, and only when asked for", () => {
  for (const renderer of [tree, thread]) {
    const colored = renderer.render(toolLoop, { color: true });
    expect(colored).toContain("\u{1b}[31m");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours that were asked for
    expect(colored.replace(/\u{1b}\[\d+m/gu, "")).toBe(renderer.render(toolLoop));
  }
});
