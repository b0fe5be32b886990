import { createThoughtBudget, type ThoughtBudget } from "./thought-budget.ts";

/** The traces that thought last are remembered. */
const KEPT = 1_000;

const budgets = new Map<string, ThoughtBudget>();

/** The budget of a turn that nobody gave one: a turn is a trace mostly. None where nothing is traced. */
export function budgetOfTrace(traceId: string | undefined): ThoughtBudget | undefined {
  if (traceId === undefined) return undefined;
  const budget = budgets.get(traceId) ?? createThoughtBudget();
  budgets.delete(traceId);
  budgets.set(traceId, budget);
  const [oldest] = budgets.keys();
  if (budgets.size > KEPT && oldest !== undefined) budgets.delete(oldest);
  return budget;
}
