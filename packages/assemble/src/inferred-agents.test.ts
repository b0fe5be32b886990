import { expect, test } from "vitest";
import { asks, callOf, gives, restsOn, say } from "../testing/record-of.ts";
import { sessionOf } from "../testing/story-of.ts";

const question = say("user", "How large is it?");
const task = say("assistant", asks("t1", "delegate", { prompt: "Count the files." }));
const answer = say("assistant", "42 files.");
const structure = (continues: string) =>
  JSON.stringify({ continues: continues.padStart(16, "0"), known: 2, input: [], output: [] });

const parent = callOf({ id: "a", trace: "1" }, [question], [task]);
const child = callOf(
  {
    id: "b",
    trace: "2",
    at: 2,
    attributes: restsOn("s_000000000000000a.t1", "subagent_spawn", "inferred"),
  },
  [say("user", "Count the files.")],
  [answer],
);
const rest = callOf(
  { id: "c", trace: "1", at: 4, attributes: { "thoughtflow.messages": structure("a") } },
  [question, task, gives("t1", "42 files.")],
  [answer],
);

test("where one conversation asked for another, each is an agent", () => {
  const { agents, conversations } = sessionOf([parent, child, rest]);
  expect(
    agents?.map(({ agent_id, models, parent_agent_id, spawned_by, origin }) => ({
      agent_id,
      models,
      parent_agent_id,
      spawned_by,
      origin,
    })),
  ).toEqual([
    { agent_id: "agent_000000000000000a", models: ["gpt-5-mini"] },
    {
      agent_id: "agent_000000000000000b",
      models: ["gpt-5-mini"],
      parent_agent_id: "agent_000000000000000a",
      spawned_by: "r_000000000000000a/s_000000000000000a.t1",
      origin: "inferred",
    },
  ]);
  const calls = conversations.flatMap(({ steps }) => steps);
  expect(
    calls.filter(({ label }) => label === "assistant_call").map(({ agent_id }) => agent_id),
  ).toEqual(["agent_000000000000000a", "agent_000000000000000b", "agent_000000000000000a"]);
});

test("nobody is named where nobody asked for an agent, or where a program names its own", () => {
  expect(sessionOf([parent, rest]).agents).toBeUndefined();
  const named = callOf({ id: "d", at: 6, attributes: { "gen_ai.agent.id": "mine" } }, [question]);
  expect(sessionOf([parent, child, rest, named]).agents?.map(({ agent_id }) => agent_id)).toEqual([
    "mine",
  ]);
});
