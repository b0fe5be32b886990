import { type BadInput, item } from "./bad-input.ts";

/** Documents that somebody wrote who did not ask us: readers show what can be shown. */
export const badDocuments: readonly BadInput<object>[] = [
  ...item(110, "a step without times", session([{ step_id: "a", label: "tool_output" }])),
  ...item(
    112,
    "what came out before what went in",
    session([
      {
        step_id: "a",
        label: "tool_call",
        payload_completed: { ok: true },
        payload_started: { name: "look" },
        ended_at: "2026-01-01T00:00:00.000Z",
        started_at: "2026-01-01T00:00:01.000Z",
      },
    ]),
  ),
  ...item(
    113,
    "ranges of a prompt that can't be",
    ...[
      [-1, 3],
      [0, 2],
      [5, 1],
      [0, 1e9],
      [1.5, 2],
      [1, 2],
    ].map((range) => call({ final_prompt: "a😀b", parts: [{ type: "history", range }] })),
  ),
  ...item(
    114,
    "parts that are not the whole prompt",
    call({ final_prompt: "abc", parts: [{ type: "history", value: "x" }] }),
    call({ final_prompt: "abc", parts: [] }),
    call({ parts: "abc" }),
  ),
  ...item(
    115,
    "snapshots whose names and contents disagree",
    session([
      { step_id: "snp_policy_1", label: "policy.snapshot", payload_started: { content: "a" } },
      { step_id: "snp_policy_1", label: "policy.snapshot", payload_started: { content: "b" } },
      { step_id: "snp_policy_2", label: "policy.snapshot", payload_started: { content: "a" } },
    ]),
  ),
  ...item(
    122,
    "alternatives of a thought",
    thought({ alternatives: Array.from({ length: 10_000 }, (_, n) => `choice ${n}`) }),
    thought({ alternatives: "one" }),
    thought({ alternatives: [null, {}, 7] }),
  ),
  ...item(
    123,
    "states that nobody knows",
    { ...session([]), status: "perhaps" },
    session([{ step_id: "a", label: "node", status: "resumed" }]),
  ),
  ...item(128, "nothing in it", { session_id: "s", conversations: [] }, session([]), {
    ...session([]),
    revision: 0,
    status: "completed",
    reopened: true,
  }),
];

function session(steps: readonly object[]): object {
  return {
    schema_version: "1.0",
    session_id: "s",
    conversations: [{ conversation_id: "r", status: "completed", steps }],
  };
}

function call(provenance: object): object {
  const payload_started = { name: "openai.responses.create", prompt_provenance: provenance };
  return session([{ step_id: "a", label: "assistant_call", payload_started }]);
}

function thought(payload: object): object {
  const payload_started = { thought: "Perhaps.", thought_type: "decision_frame", ...payload };
  return session([{ step_id: "a", label: "thought", payload_started }]);
}
