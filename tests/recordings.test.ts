import { listRecordings, loadExchanges } from "@thoughtflow/testkit";
import { beforeAll, expect, test } from "vitest";
import { type Replay, replayRecordings } from "./recordings/replay-recordings.ts";

let replay: Replay;

beforeAll(async () => {
  replay = await replayRecordings(
    listRecordings().map((name) => ({ name, exchanges: loadExchanges(name) })),
  );
}, 60_000);

test("the app gets what it gets without us", () => {
  for (const call of replay.calls) expect(call.instrumented, call.recording).toEqual(call.bare);
  expect(replay.calls.length).toBeGreaterThan(60);
  expect(replay.stderr).toBe("");
});

test("every exchange leaves one step that says what it was", () => {
  for (const { recording, expected, step } of replay.calls) {
    expect(step, recording).toBeDefined();
    const told = {
      model: step?.payload_started?.["model"],
      failed: step?.status === "error",
      input: step?.usage?.input_tokens,
      output: expected.api === "embeddings" ? expected.outputTokens : step?.usage?.output_tokens,
    };
    expect(told, recording).toEqual({
      model: expected.body["model"],
      failed: expected.failed,
      input: expected.inputTokens,
      output: expected.outputTokens,
    });
  }
  const steps = replay.sessions.flatMap((session) =>
    session.conversations.flatMap((run) => run.steps),
  );
  const recorded = steps.filter((step) => ["assistant_call", "embedding"].includes(step.label));
  expect(recorded.length).toBe(replay.calls.length);
});

test("every tool call that a model asked for is a step that names its call", () => {
  const steps = replay.sessions.flatMap((session) =>
    session.conversations.flatMap((run) => run.steps),
  );
  const told = new Set(steps.map((step) => step.payload_started?.["call_id"]));
  for (const { recording, expected } of replay.calls) {
    for (const id of expected.toolCallIds) expect(told.has(id), `${recording} ${id}`).toBe(true);
  }
});

test("nothing is left open and nothing is missing", () => {
  for (const { session_id, completeness } of replay.sessions) {
    expect({ session_id, completeness }).toEqual({
      session_id,
      completeness: { status: "complete" },
    });
  }
});
