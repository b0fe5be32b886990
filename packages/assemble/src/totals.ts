import type { Cost, Step, TotalCost, Totals, Usage } from "@thoughtflow/schema";
import { decimalSum } from "./decimal-sum.ts";
import { TOKEN_KEYS } from "./recorded-usage.ts";

/** Whether a step stands in what the session began with: a copied history counts where it happened. */
function isFromBefore({ origin, started_at: at }: Step): boolean {
  return origin === "derived" && at === undefined;
}

/**
 * Counts and sums over steps. A call that several instrumentations report is one; of one with several attempts inside each attempt is.
 * An error that an outer span only tells once more is none. Tokens are those that model calls and embeddings report, the cost is
 * theirs; absent when none has any.
 */
export function totalsOf(steps: readonly Step[]): Totals {
  const inside = lastInside(steps);
  /** Asked for by the first that failed. */
  let passedOn: ReadonlySet<Step> | undefined;
  const counts = { steps: steps.length, model_calls: 0, tool_calls: 0, thoughts: 0, errors: 0 };
  const branches = new Set<string>();
  const tokens: Usage = {};
  const costs: Cost[] = [];
  for (const step of steps) {
    const { label, usage, cost } = step;
    const outer = callInside(step, inside);
    if (label === "assistant_call") {
      if (outer === undefined) counts.model_calls++;
    } else if (label === "tool_call") {
      if (!isFromBefore(step)) counts.tool_calls++;
    } else if (label === "thought" && !isFromBefore(step)) {
      counts.thoughts++;
      const branch = step.payload_started?.["branchId"];
      if (typeof branch === "string" && branch !== "") branches.add(branch);
    }
    if (isFailed(step) && label !== "tool_error" && !isFromBefore(step)) {
      passedOn ??= passedOnTo(steps);
      const isRepeated = (outer !== undefined && isFailed(outer)) || passedOn.has(step);
      if (!isRepeated) counts.errors++;
    }
    if (cost !== undefined) costs.push(cost);
    if (usage === undefined) continue;
    for (const key in usage) {
      const count = usage[key];
      if (typeof count === "number") tokens[key] = Number(tokens[key] ?? 0) + count;
    }
  }
  const { thoughts, errors, ...others } = counts;
  const totals: Totals = {
    ...others,
    ...(thoughts > 0 && { thoughts }),
    ...(branches.size > 0 && { branches: branches.size }),
    errors,
  };
  for (const key of TOKEN_KEYS) if (tokens[key] !== undefined) totals[key] = tokens[key];
  return costs.length === 0 ? totals : { ...totals, cost: totalCost(costs) };
}

/** Which steps failed with nothing but the error of a step that stands in them: it is counted where it happened. */
function passedOnTo(steps: readonly Step[]): ReadonlySet<Step> {
  const repeating = new Set<Step>();
  const failed = steps.filter(isFailed);
  const parents = new Set(failed.map((step) => step.parent_step_id));
  if (!failed.some((step) => parents.has(step.step_id))) return repeating;
  const concerned = steps.filter((step) => isFailed(step) || parents.has(step.step_id));
  // Two runs of a trace may give a step the same id: the step around another is the latest before it, or the first.
  const known = new Map(concerned.toReversed().map((step) => [placeOf(step, step.step_id), step]));
  for (const step of concerned) {
    const around = step.parent_step_id && known.get(placeOf(step, step.parent_step_id));
    if (around && isFailed(around) && isFailed(step) && isSameError(around.error, step.error))
      repeating.add(around);
    known.set(placeOf(step, step.step_id), step);
  }
  return repeating;
}

function isFailed({ status }: Step): boolean {
  return status === "error";
}

function placeOf({ trace_id: trace }: Step, stepId: string): string {
  return `${trace ?? ""}/${stepId}`;
}

/** As far as both tell of it; what passes an error on may say more around it, or less. */
function isSameError(outer: Step["error"], inner: Step["error"]): boolean {
  const [around, within] =
    outer?.message && inner?.message
      ? [outer.message, inner.message]
      : [outer?.type ?? "", inner?.type ?? ""];
  return around.includes(within) || within.includes(around);
}

function totalCost(costs: readonly Cost[]): TotalCost {
  const calls: Record<string, number> = {};
  const amounts: string[] = [];
  for (const { status, total } of costs) {
    calls[status] = (calls[status] ?? 0) + 1;
    if (total !== null) amounts.push(total);
  }
  return {
    currency: costs[0]?.currency ?? "USD",
    total: amounts.length === 0 ? null : decimalSum(amounts),
    calls: Object.fromEntries(Object.entries(calls).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/**
 * By the spans that other instrumentations recorded of calls which are steps of their own: those steps, the last one where there
 * were several attempts. The failure of an outer span is that of the call inside, told once more. Where that one went well, the
 * outer one failed for a reason of its own, which counts beside those of the attempts.
 */
function lastInside(steps: readonly Step[]): ReadonlyMap<string, Step> {
  const last = new Map<string, Step>();
  for (const step of steps) {
    if (step.outer_span_id === undefined) continue;
    const { started_at: before = "" } = last.get(step.outer_span_id) ?? {};
    // Times in ISO 8601 compare as texts.
    if ((step.started_at ?? "") >= before) last.set(step.outer_span_id, step);
  }
  return last;
}

function callInside(
  { origin, span_id: id }: Step,
  inside: ReadonlyMap<string, Step>,
): Step | undefined {
  return origin === "recorded" && id !== undefined ? inside.get(id) : undefined;
}
