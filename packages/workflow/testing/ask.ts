import type { GenAiMessage } from "@thoughtflow/semconv";
import type { SessionInference } from "../src/session-match.ts";

/** A message of one text. */
export const say = (role: string, content: string): GenAiMessage => ({
  role,
  parts: [{ type: "text", content }],
});

/** A model's call of a tool that hands work on. */
export const task = (prompt: string, id = "t1"): GenAiMessage => ({
  role: "assistant",
  parts: [{ type: "tool_call", id, name: "delegate", arguments: { prompt } }],
});

/** What came back of it. */
export const toldBack = (id = "t1"): GenAiMessage => ({
  role: "tool",
  parts: [{ type: "tool_call_response", id, response: "42 files" }],
});

/** What an inference is asked by default, beside the messages. */
type More = Partial<Parameters<SessionInference["request"]>[0]>;

let counter = 0;
/** Has a call placed, the next of its process; `answer` tells the inference what came of it. */
export function ask(
  inference: SessionInference,
  messages: readonly GenAiMessage[],
  more: More = {},
) {
  const spanId = `span${++counter}`;
  const traceId = `trace${counter}`;
  const match = inference.request({
    traceId,
    spanId,
    messages,
    ms: counter,
    hasHistory: true,
    ...more,
  });
  return {
    ...match,
    spanId,
    traceId,
    answer: (output: GenAiMessage, responseId?: string) =>
      inference.response(match, { output: [output], ...(responseId && { responseId }) }),
  };
}
