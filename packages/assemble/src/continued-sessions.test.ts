import { expect, test } from "vitest";
import { callOf, say } from "../testing/record-of.ts";
import { assemble } from "./assemble.ts";

const question = say("user", "And tomorrow?");
const answer = say("assistant", "Rain.");

const call = (id: string, sessionId: string, attributes: Readonly<Record<string, string>>) =>
  callOf(
    {
      id,
      trace: id,
      at: Number.parseInt(id, 16),
      attributes: { "session.id": sessionId, "openai.api.type": "responses", ...attributes },
    },
    [question],
    [answer],
  );

const first = call("a", "monday", { "gen_ai.response.id": "resp_1" });
const second = call("b", "tuesday", { "gen_ai.request.previous_response.id": "resp_1" });
const continued = {
  to: `${"a".padStart(32, "0")}/s_${"a".padStart(16, "0")}`,
  type: "continues",
  origin: "observed",
  evidence: "resp_1",
};

const edgesOf = (records: Parameters<typeof assemble>[0]) =>
  assemble(records)
    .find(({ session_id }) => session_id === "tuesday")
    ?.conversations.flatMap(({ steps }) => steps.flatMap(({ edges = [] }) => edges))
    .filter(({ type }) => type === "continues");

test("a call that names a response of another session continues it, in whatever order they come", () => {
  expect(edgesOf([first, second])).toEqual([continued]);
  expect(edgesOf([second, first])).toEqual([continued]);
  expect(edgesOf([second])).toEqual([]);
});

test("what the call's own span says of it is the same edge", () => {
  const told = {
    ...second,
    attributes: {
      ...second.attributes,
      "thoughtflow.depends_on": [continued.to],
      "thoughtflow.depends_on.types": ["continues"],
      "thoughtflow.depends_on.origins": ["observed"],
    },
  };
  expect(edgesOf([first, told])).toEqual([continued]);
  expect(edgesOf([told])).toEqual([{ to: continued.to, type: "continues", origin: "observed" }]);
});
