import type { GenAiMessage } from "@thoughtflow/semconv";
import type { AgentMatch } from "@thoughtflow/workflow";
import { expect, test } from "vitest";
import type { LoggedExchange } from "./logged-exchange.ts";
import { createNamedAgents } from "./named-agents.ts";

const TASK = "Count what there is in the folder.";
const OTHER = "Read what is written there.";

const user = (content: string): GenAiMessage => ({
  role: "user",
  parts: [{ type: "text", content }],
});
const asking = (id: string, prompt: string): GenAiMessage => ({
  role: "assistant",
  parts: [{ type: "tool_call", id, name: "Task", arguments: { prompt } }],
});

function exchange(requestId: string, words: string, more: Partial<LoggedExchange>): LoggedExchange {
  return {
    ...{ requestId, responseId: requestId, startMs: 0, endMs: 0, model: "m", operation: "chat" },
    ...{ messages: [user(words)], system: "", tools: [], maxTokens: 100, output: [] },
    ...{ error: undefined, isCut: false, attributes: {}, request: [], session: undefined },
    ...more,
  };
}

const match = (requestId: string): AgentMatch => ({
  ...{ agentId: `agent_${requestId}`, kind: "main", type: "", known: 0 },
  ...{ isFromQuestion: false, isWindow: false, head: 0 },
});
const BEGINS = { agent: { id: "counter", parentId: undefined } };

test("an agent that the client names was asked for in the latest answer of the one above it, logged or not", () => {
  const named = createNamedAgents(new Set(["Task"]));
  named.place(exchange("p1", "Clean up.", { output: [asking("t1", OTHER)] }), match("p1"));
  named.place(exchange("p2", "Go on.", {}), { ...match("p1"), known: 1 });
  expect(named.place(exchange("c", TASK, BEGINS), match("c")).spawn).toEqual({
    ...{ agentId: "agent_p1", requestId: "p2", toolCallId: undefined, toolCall: 0 },
    confidence: 0.5,
  });
});

test("what a later history tells of that answer says which tool call it was", () => {
  const named = createNamedAgents(new Set(["Task"]));
  const asks = exchange("p1", "Clean up.", {});
  named.place(asks, match("p1"));
  named.foretold(asks, [asking("t1", OTHER), asking("t2", TASK)]);
  expect(named.place(exchange("c", TASK, BEGINS), match("c")).spawn).toEqual({
    ...{ agentId: "agent_p1", requestId: "p1", toolCallId: "t2", toolCall: 2 },
    confidence: 1,
  });
});
