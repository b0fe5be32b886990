import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { checkSession, type Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { filesBelow, sourceFile } from "../source-file.ts";
import { openhands } from "./openhands.ts";

const fixtures = fileURLToPath(new URL("../../../fixtures/openhands/", import.meta.url));

const { records, warnings } = await recordsOf(
  openhands,
  (await filesBelow(fixtures, () => true)).map((path) => sourceFile(path, path)),
);
const sessions = assemble(records);
const evaluation = sessions.find(({ title }) => title === "ponylang__ponyc-4595") as Session;

test("tokens are those of each answer once: the sum that the program counted itself", () => {
  for (const session of sessions) expect(checkSession(session)).toEqual([]);
  const { final_state: state } = evaluation.conversations[0] ?? {};
  const { metrics } = state as {
    metrics: { accumulated_token_usage: { prompt_tokens: number; completion_tokens: number } };
  };
  const { prompt_tokens, completion_tokens } = metrics.accumulated_token_usage;
  const { input_tokens, output_tokens, model_calls } = evaluation.totals ?? {};
  expect({ input_tokens, output_tokens, model_calls }).toEqual({
    input_tokens: prompt_tokens,
    output_tokens: completion_tokens,
    model_calls: 23,
  });
  expect([prompt_tokens, completion_tokens]).toEqual([565_158, 2_558]);
});

test("every action has its result, joined by the call's id, or by the cause", () => {
  for (const { conversations } of sessions) {
    const steps = conversations.flatMap((run) => run.steps);
    const calls = steps.filter(({ label }) => label === "tool_call");
    const results = steps.filter(({ label }) => label === "tool_output" || label === "tool_error");
    expect(results.length).toBe(calls.length);
  }
  expect(sessions.map(({ totals }) => totals?.tool_calls).toSorted()).toEqual([22, 23, 4]);
});

test("an answer began as long before its action as the program measured", () => {
  const [call] = (evaluation.conversations[0]?.steps ?? []).filter(
    ({ label }) => label === "assistant_call",
  );
  expect(call?.duration_ms).toBe(3057);
});

test("a conversation in a directory of its own is a session of the same kind, with the tokens that the program summed", async () => {
  const root = fileURLToPath(
    new URL("../../../fixtures/openhands-conversations/", import.meta.url),
  );
  const imported = await recordsOf(
    openhands,
    (await filesBelow(root, () => true)).map((path) => sourceFile(path, path)),
  );
  const [session] = assemble(imported.records);
  expect(session?.session_id).toBe("cd945624-03b9-487e-bdd4-018e3f531dfd");
  const { input_tokens, output_tokens, cache_read_input_tokens, model_calls, tool_calls } =
    session?.totals ?? {};
  expect({ input_tokens, output_tokens, cache_read_input_tokens, model_calls, tool_calls }).toEqual(
    {
      input_tokens: 11_583,
      output_tokens: 94,
      cache_read_input_tokens: 7_552,
      model_calls: 3,
      tool_calls: 2,
    },
  );
  expect(
    session?.conversations.map(({ steps }) =>
      steps.filter(({ label }) => label === "assistant_call").map((step) => step.duration_ms),
    ),
  ).toEqual([[1827, 1157], [1353]]);
  expect(imported.warnings.filter((line) => line.includes("not known"))).toEqual([]);
});

test("the calls of one answer stand in events of their own, and are one call of the model", async () => {
  const root = fileURLToPath(
    new URL("../../../fixtures/specimens/openhands/conversations/c1", import.meta.url),
  );
  const { records: parallel } = await recordsOf(
    openhands,
    (await filesBelow(root, () => true)).map((path) => sourceFile(path, path)),
  );
  const [session] = assemble(parallel);
  // Its state is written over many lines, some of which are objects for themselves.
  expect([session?.session_id, session?.totals?.input_tokens]).toEqual(["conversation-1", 70]);
  const steps = session?.conversations.flatMap((run) => run.steps) ?? [];
  const [first] = steps.filter(({ label }) => label === "assistant_call");
  expect(
    steps
      .filter(({ label }) => label === "tool_call")
      .map(({ payload_started: started, depends_on: on }) => [started?.["call_id"], on]),
  ).toEqual([
    ["call_1", first?.step_id],
    ["call_2", first?.step_id],
    ["call_3", expect.any(String)],
  ]);
});

test("all fields of real instances are known", () => {
  expect(warnings.filter((line) => line.includes("not known"))).toEqual([]);
});

test("what all calls cost is told where no call tells tokens", () => {
  const costs = sessions.map(({ totals }) => [totals?.input_tokens, totals?.cost?.total]);
  expect(costs).toEqual([
    [undefined, "1.152933"],
    [undefined, "0.070713"],
    [565_158, null],
  ]);
});
