import { join } from "node:path";
import type { Session, Step } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { completion } from "./setups/completion.ts";
import { REGISTER, runApp } from "./setups/run-app.ts";

const asks = (...calls: readonly (readonly [id: string, name: string, args: object])[]) =>
  completion({
    content: null,
    tool_calls: calls.map(([id, name, args]) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    })),
  });

/** Runs an example with the register hook and gives the one session that it leaves. */
async function sessionOf(example: string, exchanges: Parameters<typeof runApp>[1]) {
  const app = join(import.meta.dirname, "../examples", example, "app.mjs");
  const environment = { OPENAI_API_KEY: "none" };
  const { code, stdout, stderr, sessions } = await runApp(
    ["--import", REGISTER, app],
    exchanges,
    environment,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [session] = sessions;
  if (session === undefined || sessions.length > 1) throw new Error(`${sessions.length} sessions`);
  return { stdout, session };
}

/** Each step by a short name, with what it happened in and what it rests on, by edge type and origin. */
function story({ conversations }: Session): readonly string[] {
  const steps = conversations.flatMap((run) => run.steps);
  const short = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const step of steps) {
    const name = nameOf(step);
    const n = (counts.get(name) ?? 0) + 1;
    counts.set(name, n);
    short.set(step.step_id, `${name}#${n}`);
  }
  return steps.map(({ step_id, parent_step_id, status, edges = [] }) =>
    [
      short.get(step_id),
      ...(status === "ok" ? [] : [status]),
      ...(parent_step_id === undefined ? [] : [`in ${short.get(parent_step_id)}`]),
      ...edges.map(({ to, type, origin }) => `${origin} ${type} ${short.get(to) ?? to}`),
    ].join(" | "),
  );
}

function nameOf({ label, payload_started: started }: Step): string {
  const name = label === "tool_call" ? started?.["name"] : undefined;
  return typeof name === "string" ? name : label;
}

test("openai-run-tools: tools and the agent below them stand in the file, with nothing declared", async () => {
  const { stdout, session } = await sessionOf("openai-run-tools", [
    asks(
      ["call_11111111", "get_weather", { city: "Canberra" }],
      ["call_22222222", "get_weather", { city: "Lisbon" }],
    ),
    asks(["call_33333333", "packing_list", { weather: "24 °C, sunny" }]),
    completion({ content: "Hat, shorts, sunscreen." }),
    completion({ content: "In Lisbon; take a hat, shorts and sunscreen." }),
  ]);
  expect(stdout).toBe("In Lisbon; take a hat, shorts and sunscreen.\n");
  expect(story(session)).toEqual([
    "policy.snapshot#1",
    "tool.schemas.snapshot#1",
    "user_message#1",
    "assistant_call#1 | observed uses_snapshot policy.snapshot#1 | observed uses_snapshot tool.schemas.snapshot#1 | observed responds_to user_message#1",
    "get_weather#1 | observed requests assistant_call#1",
    "tool_output#1 | observed returns get_weather#1",
    "get_weather#2 | observed requests assistant_call#1",
    "tool_output#2 | observed returns get_weather#2",
    "assistant_call#2 | observed uses_snapshot policy.snapshot#1 | observed uses_snapshot tool.schemas.snapshot#1 | observed reads tool_output#1 | observed reads tool_output#2",
    "packing_list#1 | observed requests assistant_call#2",
    "tool_output#3 | observed returns packing_list#1",
    "user_message#2 | in packing_list#1",
    "assistant_call#3 | in packing_list#1 | observed responds_to user_message#2",
    "assistant_message#1 | in packing_list#1 | observed returns assistant_call#3",
    "assistant_call#4 | observed uses_snapshot policy.snapshot#1 | observed uses_snapshot tool.schemas.snapshot#1 | observed reads tool_output#3",
    "assistant_message#2 | observed returns assistant_call#4",
  ]);
});

test("openai-traced-tools: a traced tool has a time and an error of its own", async () => {
  const { session } = await sessionOf("openai-traced-tools", [
    asks(
      ["call_11111111", "get_weather", { city: "Canberra" }],
      ["call_22222222", "get_weather", { city: "Atlantis" }],
    ),
    completion({ content: "In Canberra, as far as anybody knows." }),
  ]);
  expect(story(session)).toEqual([
    "policy.snapshot#1",
    "tool.schemas.snapshot#1",
    "user_message#1",
    "assistant_call#1 | observed uses_snapshot policy.snapshot#1 | observed uses_snapshot tool.schemas.snapshot#1 | observed responds_to user_message#1",
    "get_weather#1 | inferred requests assistant_call#1",
    "tool_output#1 | observed returns get_weather#1",
    "get_weather#2 | error | inferred requests assistant_call#1",
    "tool_error#1 | error | observed returns get_weather#2",
    "assistant_call#2 | observed uses_snapshot policy.snapshot#1 | observed uses_snapshot tool.schemas.snapshot#1 | observed reads tool_output#1 | observed reads tool_error#1",
    "assistant_message#1 | observed returns assistant_call#2",
  ]);
  const steps = session.conversations.flatMap((run) => run.steps);
  const failed = steps.find(({ label }) => label === "tool_error");
  expect(failed?.payload_completed).toEqual({
    error: {
      type: "RangeError",
      message: "no weather for Atlantis",
      stack: expect.stringContaining("openai-traced-tools/app.mjs"),
    },
    // What the model was told of it.
    result: "no weather for Atlantis",
  });
  const tools = steps.filter(({ label }) => label === "tool_call");
  expect(tools.map(({ duration_ms, wait_ms }) => [duration_ms, wait_ms])).toEqual([
    [expect.any(Number), expect.any(Number)],
    [expect.any(Number), expect.any(Number)],
  ]);
});
