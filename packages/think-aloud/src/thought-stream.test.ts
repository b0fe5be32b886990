import { recordThought, withRun } from "@thoughtflow/tracing";
import { expect, test } from "vitest";
import { executeThinkAloud, subscribeToThoughts, type ThoughtStreamEvent } from "./index.ts";

test("a listener hears of thoughts as they happen, though nothing is traced, until it has enough", () => {
  const events: ThoughtStreamEvent[] = [];
  const stopFailing = subscribeToThoughts(() => {
    throw new Error("a listener's own trouble");
  });
  const stop = subscribeToThoughts((event) => events.push(event));
  executeThinkAloud({
    call_id: "call_1",
    name: "think_aloud",
    arguments: {
      thought_id: "plan",
      thought: "First the weather.",
      thought_type: "planning",
      confidence: 0.9,
      verbosity: "brief",
      alternatives: ["Ask."],
    },
  });
  withRun({ name: "r" }, () => recordThought({ thought: "Warm.", relatedTo: "plan" }));
  stop();
  stopFailing();
  executeThinkAloud({ thought: "Unheard.", thought_type: "reflection" });
  expect(events).toEqual([
    {
      kind: "thought-stream",
      contextId: undefined,
      taskId: undefined,
      thoughtId: "plan",
      thoughtType: "planning",
      verbosity: "brief",
      content: "First the weather.",
      index: 0,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      metadata: {
        source: "tool-call",
        confidence: 0.9,
        alternatives: ["Ask."],
        toolCallId: "call_1",
      },
    },
    expect.objectContaining({
      thoughtId: "thought-2",
      thoughtType: "reasoning",
      verbosity: "normal",
      index: 1,
      metadata: { source: "program", relatedTo: "plan" },
    }),
  ]);
});
