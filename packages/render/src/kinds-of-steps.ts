import type { Step } from "@thoughtflow/schema";
import { oneLine } from "./clean-text.ts";
import { counted } from "./figures.ts";
import { labelWord } from "./step-kind.ts";

/** What a step of a kind is called where several are counted; others by their label. */
const NOUNS: ReadonlyMap<string, string> = new Map([
  ["user", "user message"],
  ["model", "model call"],
  ["tool", "tool call"],
  ["output", "tool output"],
  ["policy", "instruction"],
  ["tool schemas", "set of tools"],
  ["channel", "channel preamble"],
  ["context", "context preamble"],
  ["adaptations", "list of adaptations"],
]);
const PLURALS: ReadonlyMap<string, string> = new Map([
  ["set of tools", "sets of tools"],
  ["list of adaptations", "lists of adaptations"],
  ["memory", "memories"],
]);

/** `2 tool calls, 1 thought`: what the steps are, most first. */
export function kindsOf(steps: readonly Step[]): string {
  const counts = new Map<string, number>();
  for (const step of steps) {
    const word = oneLine(labelWord(step));
    const noun = NOUNS.get(word) ?? word;
    counts.set(noun, (counts.get(noun) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([noun, count]) => counted(count, noun, PLURALS.get(noun)))
    .join(", ");
}
