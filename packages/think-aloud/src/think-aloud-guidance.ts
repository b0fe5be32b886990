import type { PromptPart } from "@thoughtflow/tracing";

/** What a model should be told of the tool: a part for `composePrompt`, or `thinkAloudGuidance.value` for any system prompt. */
export const thinkAloudGuidance: PromptPart = {
  type: "personality",
  id: "think_aloud.guidance",
  value: `Thinking aloud

Use the think_aloud tool to show how you come to what you do:
- before a task of several steps, say your plan (thought_type "planning");
- where you choose between ways, say which and what you left (thought_type "decision", with alternatives);
- where something you were given matters, say what you noticed (thought_type "observation");
- where a problem takes several steps, say the step (thought_type "reasoning");
- when a result changes what you thought, say so (thought_type "reflection" or "critique").

Give each thought a short name of its own as thought_id, such as "initial_plan" or "weather_check", and name the thought or the tool call that it is about in related_to. The answer tells you the ID under which it was kept.

Think aloud where it matters how you got there: not for a greeting, not twice the same, and never instead of the answer.`,
};
