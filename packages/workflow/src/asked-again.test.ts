import type { GenAiMessage } from "@thoughtflow/semconv";
import { expect, test } from "vitest";
import { createRequests } from "../testing/tracked-requests.ts";
import { createAgentTracker } from "./agent-tracker.ts";

const user = (content: string): GenAiMessage => ({
  role: "user",
  parts: [{ type: "text", content }],
});
const assistant = (content: string): GenAiMessage => ({ ...user(content), role: "assistant" });

const call = (id: string, args: object): GenAiMessage => ({
  role: "assistant",
  parts: [{ type: "tool_call", id, name: "run", arguments: args }],
});
const result = (id: string, response: string): GenAiMessage => ({
  role: "tool",
  parts: [{ type: "tool_call_response", id, response }],
});

const request = createRequests();

const title = { system: "Say what it is about.", tools: 0 };

test("what failed is sent again by an agent of its kind, whatever else says the same words", () => {
  const tracker = createAgentTracker();
  tracker.request(request("title", [user("Mend it")], title));
  tracker.response("title", []);
  expect(tracker.request(request("a", [user("Mend it")]))).toMatchObject({
    agentId: "agent_a",
    kind: "main",
    known: 0,
  });
  tracker.response("a", []);
  const again = request("b", [user("Mend it")], { system: "You work.\nIt is 10:01." });
  expect(tracker.request(again)).toMatchObject({ agentId: "agent_a", known: 1 });
});

test("an agent whose answers nobody logged does not go on from a side request with its words", () => {
  const tracker = createAgentTracker();
  tracker.request(request("title", [user("Mend it")], title));
  tracker.request(request("a", [user("Mend it")]));
  const more = request("b", [user("Mend it"), assistant("Done"), user("Thanks")]);
  expect(tracker.request(more)).toMatchObject({ agentId: "agent_a" });
});

test("a request that is sent again goes on from what was asked before, and not from what was answered", () => {
  const tracker = createAgentTracker();
  const asked = [user("Count"), assistant("What?"), user("Files")];
  tracker.request(request("a", asked.slice(0, 1)));
  tracker.response("a", asked.slice(1, 2));
  tracker.request(request("b", asked));
  tracker.response("b", [assistant("There are")], undefined, true);
  expect(tracker.request(request("c", asked))).toMatchObject({
    continues: { requestId: "b" },
    known: 3,
    isFromQuestion: true,
  });
  tracker.response("c", [assistant("There are 3.")]);
  const onwards = tracker.request(request("d", [...asked, assistant("There are 3."), user("Ok")]));
  expect(onwards).toMatchObject({ continues: { requestId: "c" }, known: 4, isFromQuestion: false });
});

test("what was paused goes on from its answer, though nothing stands behind it", () => {
  const tracker = createAgentTracker();
  tracker.request(request("a", [user("Search")]));
  tracker.response("a", [assistant("I search")]);
  const onwards = tracker.request(request("b", [user("Search"), assistant("I search")]));
  expect(onwards).toMatchObject({ agentId: "agent_a", known: 2, isFromQuestion: false });
});

test("an agent that was refused and is asked for again is the child of the second call", () => {
  const tracker = createAgentTracker();
  const prompt = "Count all the files in there.";
  const refused = [user("Count"), call("toolu_000000000001", { prompt })];
  tracker.request(request("a", refused.slice(0, 1)));
  tracker.response("a", refused.slice(1));
  tracker.request(request("b", [...refused, result("toolu_000000000001", "Not now.")]));
  tracker.response("b", [call("toolu_000000000002", { prompt })]);
  expect(tracker.request(request("c", [user(prompt)])).spawn).toMatchObject({
    requestId: "b",
    toolCallId: "toolu_000000000002",
  });
});

test("agents with the same words are told apart by what they ask of tools where a server counts ids anew", () => {
  const tracker = createAgentTracker();
  for (const [id, path] of [
    ["a", "/a"],
    ["b", "/b"],
  ] as const) {
    tracker.request(request(id, [user("Count the files.")]));
    tracker.response(id, [call("call_0", { path })]);
  }
  const more = (path: string) => [
    user("Count the files."),
    call("call_0", { path }),
    result("call_0", path),
  ];
  expect(tracker.request(request("c", more("/b")))).toMatchObject({ agentId: "agent_b" });
  expect(tracker.request(request("d", more("/a")))).toMatchObject({ agentId: "agent_a" });
  tracker.response("c", []);
  expect(tracker.request(request("e", more("/b")))).toMatchObject({
    agentId: "agent_b",
    continues: { requestId: "c" },
  });
});

test("an agent goes on from its last answer where a program cut out what tools gave long ago", () => {
  const tracker = createAgentTracker();
  const [first, second] = ["toolu_000000000011", "toolu_000000000012"] as const;
  const begun = [user("Count"), call(first, { path: "/a" })];
  tracker.request(request("a", begun.slice(0, 1)));
  tracker.response("a", begun.slice(1));
  tracker.request(request("b", [...begun, result(first, "3 files")]));
  tracker.response("b", [call(second, { path: "/b" })]);
  const cut = [...begun, result(first, "[cut]"), call(second, { path: "/b" })];
  expect(tracker.request(request("c", [...cut, result(second, "5 files")]))).toMatchObject({
    agentId: "agent_a",
    continues: { requestId: "b" },
    known: 4,
  });
});

test("a side request may say how its answer is to begin", () => {
  const tracker = createAgentTracker();
  const begun = request("a", [user("Mend it"), assistant("{")], title);
  expect(tracker.request(begun)).toMatchObject({ agentId: "agent_a", kind: "side" });
});
