import type { Step, Totals, Usage } from "@thoughtflow/schema";

const TOKENS = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_write_input_tokens",
  "reasoning_output_tokens",
] as const satisfies readonly (keyof Usage)[];

/** Counts and sums over steps. Tokens are those that model calls and embeddings report; absent when none does. */
export function totalsOf(steps: readonly Step[]): Totals {
  const totals: Totals = {
    steps: steps.length,
    model_calls: count(steps, "assistant_call"),
    tool_calls: count(steps, "tool_call"),
    errors: steps.filter((step) => step.status === "error" && step.label !== "tool_error").length,
  };
  for (const key of TOKENS) {
    const known = steps.map((step) => step.usage?.[key]).filter((tokens) => tokens !== undefined);
    if (known.length > 0) totals[key] = known.reduce((sum, tokens) => sum + tokens, 0);
  }
  return totals;
}

function count(steps: readonly Step[], label: string): number {
  return steps.filter((step) => step.label === label).length;
}
