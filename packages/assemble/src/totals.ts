import type { Cost, Step, TotalCost, Totals } from "@thoughtflow/schema";
import { decimalSum } from "./decimal-sum.ts";
import { TOKEN_KEYS } from "./recorded-usage.ts";

/**
 * Counts and sums over steps. Tokens are those that model calls and embeddings report, the cost is theirs; absent when
 * none has any.
 */
export function totalsOf(steps: readonly Step[]): Totals {
  const totals: Totals = {
    steps: steps.length,
    model_calls: count(steps, "assistant_call") - count(outerCalls(steps), "assistant_call"),
    tool_calls: count(steps, "tool_call"),
    errors: steps.filter((step) => step.status === "error" && step.label !== "tool_error").length,
  };
  for (const key of TOKEN_KEYS) {
    const known = steps.map((step) => step.usage?.[key]).filter((tokens) => tokens !== undefined);
    if (known.length > 0) totals[key] = known.reduce((sum, tokens) => sum + tokens, 0);
  }
  const costs = steps.map((step) => step.cost).filter((cost) => cost !== undefined);
  return costs.length === 0 ? totals : { ...totals, cost: totalCost(costs) };
}

function totalCost(costs: readonly Cost[]): TotalCost {
  const calls: Record<string, number> = {};
  for (const { status } of costs) calls[status] = (calls[status] ?? 0) + 1;
  const amounts = costs.map(({ total }) => total).filter((total) => total !== null);
  return {
    currency: costs[0]?.currency ?? "USD",
    total: amounts.length === 0 ? null : decimalSum(amounts),
    calls: Object.fromEntries(Object.entries(calls).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function count(steps: readonly Step[], label: string): number {
  return steps.filter((step) => step.label === label).length;
}

/** The steps that other instrumentations recorded of a call that is a step of its own. */
function outerCalls(steps: readonly Step[]): readonly Step[] {
  const outer = new Set(steps.map((step) => step.outer_span_id).filter((id) => id !== undefined));
  if (outer.size === 0) return [];
  return steps.filter(
    ({ origin, span_id: id }) => origin === "recorded" && id !== undefined && outer.has(id),
  );
}
