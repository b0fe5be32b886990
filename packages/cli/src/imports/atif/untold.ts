import { decimalSum } from "@thoughtflow/assemble";
import {
  type ProgramSums,
  type ToldTokens,
  tellsOf,
  untoldStep,
} from "../conversation/untold-tokens.ts";
import { isObject, listOf, membersOf, type PlainObject, textOf, timeOf } from "../plain-values.ts";
import { embeddedIn, trajectoriesIn } from "./embedded.ts";
import { isNoCall } from "./plain-steps.ts";
import { agentOf, usageOf } from "./records.ts";

/**
 * What a trajectory sums up and no step tells. Where its steps tell nothing, that is all of it; else what is beyond them and, as
 * some programs count those in, beyond its sub-agents and the trajectories that it goes on from.
 *
 * @param told What those before it told; it hears what this one does.
 */
export function untoldIn(trajectory: PlainObject, told: ToldTokens): ProgramSums {
  const [, ...inner] = trajectoriesIn(trajectory);
  tellTokens(trajectory, told);
  for (const one of inner) {
    tellTokens(one, told);
    if (!tellsAny(one)) tellSums(sumsOf(one), told);
  }
  const sums = { ...sumsOf(trajectory), cost: ownCostOf(trajectory) };
  const untold = tellsAny(trajectory) ? told.beyond(sums) : sums;
  tellSums(untold, told);
  return untold;
}

function sumsOf(trajectory: PlainObject): ProgramSums {
  const metrics = membersOf(trajectory["final_metrics"]);
  return {
    input: metrics["total_prompt_tokens"],
    output: metrics["total_completion_tokens"],
    read: metrics["total_cached_tokens"],
    model: agentOf(trajectory).model,
  };
}

function tellSums(sums: ProgramSums, told: ToldTokens): void {
  told.told(untoldStep(sums)?.attributes ?? {});
}

function tellTokens(trajectory: PlainObject, told: ToldTokens): void {
  const { model } = agentOf(trajectory);
  for (const step of listOf(trajectory["steps"]).filter(isObject)) {
    // Those were told where they were made.
    if (isNoCall(step) || step["is_copied_context"] === true) continue;
    const of = textOf(step["model_name"]) ?? model;
    const ms = timeOf(step["timestamp"]) ?? 0;
    told.told(usageOf(step["metrics"]), { model: of, provider: undefined, ms });
  }
}

function tellsAny({ steps }: PlainObject): boolean {
  return listOf(steps).some(tellsUsage);
}

function tellsUsage(step: unknown): boolean {
  return tellsOf(usageOf(membersOf(step)["metrics"]));
}

/** US dollars, without what sub-agents cost, which the sum of a trajectory holds; `undefined` where one of them doesn't tell it. */
function ownCostOf(trajectory: PlainObject): number | undefined {
  const total = totalCostOf(trajectory);
  if (total === undefined) return undefined;
  const inner = embeddedIn(trajectory).filter((one) => trajectoriesIn(one).some(isCounted));
  const costs = inner.map(totalCostOf).filter((cost) => cost !== undefined);
  if (costs.length < inner.length) return undefined;
  return Number(decimalSum([`${total}`, ...costs.map((cost) => `-${cost}`)]));
}

function totalCostOf({ final_metrics: sums }: PlainObject): number | undefined {
  const cost = membersOf(sums)["total_cost_usd"];
  return typeof cost === "number" && cost >= 0 ? cost : undefined;
}

/** Whether anything tells what it took. */
function isCounted(trajectory: PlainObject): boolean {
  return isObject(trajectory["final_metrics"]) || tellsAny(trajectory);
}
