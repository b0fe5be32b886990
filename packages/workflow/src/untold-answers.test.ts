import type { GenAiMessage } from "@thoughtflow/semconv";
import { expect, test } from "vitest";
import { createRequests } from "../testing/tracked-requests.ts";
import { createAgentTracker } from "./agent-tracker.ts";

const user = (content: string): GenAiMessage => ({
  role: "user",
  parts: [{ type: "text", content }],
});
const assistant = (content: string): GenAiMessage => ({ ...user(content), role: "assistant" });
const asking = (...prompts: readonly string[]): GenAiMessage => ({
  role: "assistant",
  parts: prompts.map((prompt, n) => ({
    ...{ type: "tool_call", id: `call_${n}`, name: "Task", arguments: { prompt } },
  })),
});

const SECOND = 1_764_148_000;
const request = createRequests();

/** As OpenAI makes them. */
function responseId(thread: string, second: number): string {
  return `resp_${thread.repeat(16)}00${second.toString(16)}${"c".repeat(24)}`;
}

/** As OpenAI made them until 2025. */
function olderResponseId(thread: string, second: number): string {
  return `resp_${second.toString(16)}${"c".repeat(24)}${thread.repeat(16)}`;
}

/** As agents that Azure hosts give them. */
function hostedResponseId(thread: string, n: string): string {
  return `caresp_${thread.repeat(16)}00${n.repeat(32)}`;
}

/** As LiteLLM's proxy gives them. */
function wrapped(id: string): string {
  const text = `litellm:custom_llm_provider:openai;model_id:None;response_id:${id}`;
  return `resp_${Buffer.from(text).toString("base64")}`;
}

test.each([
  ["OpenAI's", responseId],
  ["OpenAI's older", olderResponseId],
  ["LiteLLM's", (thread: string, second: number) => wrapped(responseId(thread, second))],
])(
  "whose answer it was that nobody logged, %s ids tell, though all agents are alike",
  (_, idOf) => {
    const tracker = createAgentTracker();
    const at = (second: number) => ({ ms: (SECOND + second) * 1000 + 400 });
    tracker.request(request("a1", [user("Mend it")], at(0)));
    tracker.request(request("b1", [user("Read it")], at(5)));
    const a1 = { previousResponseId: idOf("a", SECOND + 1) };
    const b1 = { previousResponseId: idOf("b", SECOND + 5) };
    const onB = tracker.request(request("b2", [user("Go on")], { ...at(9), ...b1 }));
    expect(onB).toMatchObject({ agentId: "agent_b1", continues: { requestId: "b1" } });
    const onA = tracker.request(request("a2", [user("Go on")], { ...at(10), ...a1 }));
    expect(onA).toMatchObject({ agentId: "agent_a1", continues: { requestId: "a1" } });
    expect(onA.continues?.confidence).toBeLessThan(1);
    const a2 = { previousResponseId: idOf("a", SECOND + 10) };
    const further = tracker.request(request("a3", [user("And more")], { ...at(12), ...a2 }));
    expect(further).toMatchObject({ agentId: "agent_a1", continues: { requestId: "a2" } });
  },
);

test("ids without a time tell whose answer it was once the thread of each agent is known", () => {
  const tracker = createAgentTracker();
  tracker.request(request("a1", [user("Mend it")], { system: "You mend." }));
  tracker.request(request("b1", [user("Read it")], { system: "You read." }));
  const onwards = (id: string, thread: string, n: string, system: string) =>
    tracker.request(
      request(id, [user("Go on")], { system, previousResponseId: hostedResponseId(thread, n) }),
    );
  expect(onwards("b2", "b", "X", "You read.").agentId).toBe("agent_b1");
  expect(onwards("a2", "a", "Y", "You mend.").agentId).toBe("agent_a1");
  // From now on the thread tells it, whatever the prompt.
  expect(onwards("b3", "b", "Z", "You mend.")).toMatchObject({
    agentId: "agent_b1",
    continues: { requestId: "b2", confidence: 0.95 },
  });
});

test("an answer from before the log was nobody's in it, and who goes on from it is one agent", () => {
  const tracker = createAgentTracker();
  tracker.request(request("other", [user("Mend it")], { ms: SECOND * 1000 }));
  const named = { previousResponseId: responseId("d", SECOND - 60) };
  const at = { ms: (SECOND + 1) * 1000 };
  const first = tracker.request(request("a", [user("Go on")], { ...at, ...named }));
  expect(first).toMatchObject({ agentId: "agent_a", kind: "main" });
  const fork = tracker.request(request("b", [user("No, go back")], { ...at, ...named }));
  expect(fork).toMatchObject({ agentId: "agent_a" });
  expect(fork.continues).toBeUndefined();
});

test("ids that tell nothing are of the agent that waits with the same system prompt", () => {
  const tracker = createAgentTracker();
  tracker.request(request("a1", [user("Mend it")], { system: "You mend. For Ada." }));
  tracker.request(request("b1", [user("Read it")], { system: "You mend. For Bob." }));
  const onwards = request("a2", [user("Go on")], {
    system: "You mend. For Ada.",
    previousResponseId: "resp_1",
  });
  expect(tracker.request(onwards)).toMatchObject({
    agentId: "agent_a1",
    continues: { requestId: "a1", confidence: 0.7 },
  });
  const unlike = { system: "You look.", previousResponseId: "resp_7" };
  expect(tracker.request(request("c", [user("Go on")], unlike)).agentId).toBe("agent_c");
});

test("a system prompt that stands among the messages tells which of several with the same words goes on", () => {
  const tracker = createAgentTracker();
  const told = (day: string, ...more: readonly GenAiMessage[]) => [
    { ...user(`You count.\nIt is ${day}.`), role: "system" },
    user("Count"),
    ...more,
  ];
  const none = { system: "" };
  tracker.request(request("a", told("the 1st"), none));
  tracker.request(request("b", told("the 2nd"), none));
  const more = [assistant("What?"), user("Files")];
  expect(tracker.request(request("b2", told("the 2nd", ...more), none)).agentId).toBe("agent_b");
  expect(tracker.request(request("a2", told("the 1st", ...more), none)).agentId).toBe("agent_a");
});

test("of two agents that are asked for with the same words each begins once, and what comes then is sent again", () => {
  const tracker = createAgentTracker();
  const prompt = "Count all the files there";
  tracker.request(request("p", [user("Count")]));
  tracker.response("p", [asking(prompt, prompt)]);
  const agents = ["a", "b", "c"].map((id) => {
    const { agentId } = tracker.request(request(id, [user(prompt)]));
    tracker.unanswered(id);
    return agentId;
  });
  expect(agents).toEqual(["agent_a", "agent_b", "agent_a"]);
});

test("an agent that was asked for is one, though nothing tells whether its first request was answered", () => {
  const tracker = createAgentTracker();
  const prompt = "Count all the files there";
  tracker.request(request("p", [user("Count")]));
  tracker.foretold("p", [asking(prompt)]);
  tracker.request(request("a", [user(prompt)]));
  expect(tracker.request(request("b", [user(prompt)]))).toMatchObject({
    agentId: "agent_a",
    known: 1,
  });
});

test("a history with more of an answer than the log goes on from it all the same", () => {
  const tracker = createAgentTracker();
  tracker.request(request("a", [user("Count")]));
  tracker.response("a", [assistant("There a")], undefined, true);
  const more = request("b", [user("Count"), assistant("There are 3."), user("Thanks")]);
  expect(tracker.request(more)).toMatchObject({
    agentId: "agent_a",
    continues: { requestId: "a" },
    known: 1,
  });
});
