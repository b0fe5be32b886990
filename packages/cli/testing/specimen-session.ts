import type { Run, Session, Step } from "@thoughtflow/schema";

const usage = { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 10 };
const cost = {
  status: "priced",
  currency: "USD",
  total: "0.03",
  input: "0.01",
  output: "0.02",
  stated: "0.04",
};
const totals = { steps: 6, model_calls: 2, tool_calls: 1, errors: 1, ...usage };

function stepAt(second: number, step: Pick<Step, "step_id" | "label"> & Partial<Step>): Step {
  return {
    started_at: `2026-03-01T10:00:0${second}.000Z`,
    ended_at: `2026-03-01T10:00:0${second}.500Z`,
    duration_ms: 500,
    status: "ok",
    origin: "recorded",
    trace_id: `${"0".repeat(31)}1`,
    span_id: `000000000000000${second}`,
    agent_id: "agent_main",
    ...step,
  };
}

const steps: Step[] = [
  stepAt(0, {
    step_id: "policy",
    label: "policy.snapshot",
    payload_started: { version: "v1", content_preview: "Be kind.", content: "Be kind." },
  }),
  stepAt(1, { step_id: "ask", label: "user_message", payload_started: { text: "Count them." } }),
  stepAt(2, {
    step_id: "call",
    label: "assistant_call",
    wait_ms: 500,
    outer_span_id: "00000000000000ff",
    aliases: ["c1"],
    depends_on: ["policy", "ask"],
    edges: [
      { to: "policy", type: "uses_snapshot", origin: "observed", evidence: "hash" },
      { to: "ask", type: "responds_to", origin: "inferred", confidence: 0.8, evidence: "words" },
    ],
    payload_started: {
      name: "openai.chat",
      model: "m-1",
      arguments: { temperature: 1 },
      input: ["ask"],
    },
    payload_completed: {
      text: "I ask for help.",
      function_calls: [{ name: "delegate", args: { prompt: "Count" }, call_id: "t1" }],
    },
    usage,
    cost,
    attributes: { "app.note": "first" },
  }),
  stepAt(3, {
    step_id: "thought",
    label: "thought",
    parent_step_id: "call",
    depends_on: "call",
    edges: [{ to: "call", type: "returns", origin: "declared", evidence: "said" }],
    payload_started: { thought: "Somebody else may count.", thought_type: "reasoning", number: 1 },
  }),
  stepAt(4, {
    step_id: "task",
    label: "tool_call",
    depends_on: "call",
    edges: [{ to: "call", type: "requests", origin: "observed", evidence: "t1" }],
    payload_started: { name: "delegate", args: { prompt: "Count" }, call_id: "t1" },
    payload_completed: { ok: true },
  }),
  stepAt(5, {
    step_id: "sub",
    label: "assistant_call",
    agent_id: "agent_sub",
    depends_on: "task",
    edges: [{ to: "task", type: "subagent_spawn", origin: "inferred", confidence: 0.95 }],
    payload_started: { name: "openai.chat", model: "m-2", input: [] },
    payload_completed: { text: "Two.", response_id: "r2" },
    usage,
    cost,
  }),
  stepAt(6, {
    step_id: "failed",
    label: "tool_error",
    status: "error",
    depends_on: "task",
    edges: [{ to: "task", type: "returns", origin: "observed", evidence: "t1" }],
    payload_completed: { error: { type: "timeout", message: "too late" } },
    error: { type: "timeout", message: "too late" },
  }),
  stepAt(7, {
    step_id: "last",
    label: "assistant_call",
    depends_on: ["failed", "call"],
    edges: [
      { to: "failed", type: "reads", origin: "observed", evidence: "t1" },
      { to: "call", type: "continues", origin: "observed", evidence: "input" },
    ],
    payload_started: { name: "openai.chat", model: "m-1", input: ["call", "failed"] },
    payload_completed: { text: "It failed." },
    usage,
    cost,
  }),
];

const run: Run = {
  conversation_id: "run-1",
  run_id: "run-1",
  name: "count",
  origin: "recorded",
  channel: "web",
  status: "error",
  status_reason: "process_exit",
  started_at: "2026-03-01T10:00:00.000Z",
  ended_at: "2026-03-01T10:00:07.500Z",
  duration_ms: 7500,
  trace_id: `${"0".repeat(31)}1`,
  span_id: "00000000000000aa",
  agent: "counter",
  user: "ada",
  trigger: "user_message",
  previous_run: "run-0",
  initial_state: { asked: true },
  final_state: { counted: false },
  error: { type: "timeout", message: "too late" },
  totals: { runs: 1, ...totals },
  attributes: { "app.run": "r" },
  steps,
};

const other: Run = {
  conversation_id: "run-2",
  status: "completed",
  started_at: "2026-03-01T10:01:00.000Z",
  ended_at: "2026-03-01T10:01:00.500Z",
  duration_ms: 500,
  steps: [
    {
      ...stepAt(0, { step_id: "again", label: "user_message", payload_started: { text: "So?" } }),
      started_at: "2026-03-01T10:01:00.000Z",
      ended_at: "2026-03-01T10:01:00.500Z",
      span_id: "0000000000000010",
      trace_id: `${"0".repeat(31)}2`,
      depends_on: "run-1/last",
      edges: [{ to: "run-1/last", type: "responds_to", origin: "declared" }],
    },
  ],
};

/** A document that has every key of the document's form. */
export const specimenSession: Session = {
  schema_version: "1.0",
  session_id: "specimen",
  revision: 20,
  title: "Counting",
  tags: ["night"],
  status: "error",
  status_reason: "idle_timeout",
  reopened: true,
  origin: "inferred",
  confidence: 0.95,
  started_at: "2026-03-01T10:00:00.000Z",
  ended_at: "2026-03-01T10:01:00.500Z",
  user: "ada",
  resource: { "service.name": "counter", "service.version": "3" },
  totals: { runs: 2, ...totals },
  completeness: { status: "partial", open_steps: ["run-1/last"], unsampled: 1 },
  agents: [
    {
      agent_id: "agent_main",
      ordinal: 1,
      name: "Main",
      models: ["m-1"],
      started_at: "2026-03-01T10:00:00.000Z",
      ended_at: "2026-03-01T10:00:07.500Z",
      totals,
    },
    {
      agent_id: "agent_sub",
      ordinal: 2,
      name: "Counter",
      models: ["m-2"],
      parent_agent_id: "agent_main",
      spawned_by: "run-1/task",
      origin: "inferred",
      started_at: "2026-03-01T10:00:05.000Z",
      ended_at: "2026-03-01T10:00:05.500Z",
      totals,
    },
  ],
  warnings: [{ code: "odd_clock", message: "a clock stepped back", step_id: "run-1/call" }],
  conflicts: [{ trace_id: `${"0".repeat(31)}1`, span_id: "0".repeat(16), body: "{}" }],
  conversations: [run, other],
};
