import { decimalSum } from "@thoughtflow/assemble";
import type { Attributes } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_THOUGHTFLOW_COST_STATED,
} from "@thoughtflow/semconv";
import { countOf } from "../plain-values.ts";
import { statedCost } from "../stated-cost.ts";
import { hasTablePrice, type PricedModel } from "../table-price.ts";

/** The step of a run that has the tokens which its calls don't tell. */
export const UNTOLD_TOKENS = "tokens that no call tells";

/** The same where the program counted no tokens, but what they cost. */
export const UNTOLD_COST = "cost that no call tells";

/** What a program counted; what it says nothing of is 0. */
export interface ProgramSums {
  /** Those that were read from a cache among them. */
  readonly input: unknown;
  readonly output: unknown;
  readonly read?: unknown;
  /** US dollars. */
  readonly cost?: unknown;
  readonly model?: string | undefined;
  /** What it cost is the cost of tokens that calls tell: of those that are told here there may be none. */
  readonly isCostOfCalls?: boolean;
}

/** The tokens of a session that its calls told. */
export interface ToldTokens {
  /** A call told these. */
  told(usage: Attributes, of?: PricedModel): void;
  /**
   * Of all that the program counted the rest. What all of it cost is known where no call told what it cost, or tokens that the
   * table has a price for; what the rest of the tokens cost, where every call that told some told what they cost.
   */
  beyond(sums: ProgramSums): ProgramSums;
}

const COUNTS = {
  input: ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  output: ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  read: ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
} as const;

export function createToldTokens(): ToldTokens {
  const told = { input: 0, output: 0, read: 0 };
  let isAll = true;
  /** Of the calls that told tokens without a price. */
  const models = new Set<string | undefined>();
  /** US dollars; `undefined` once a call told tokens without. */
  let stated: string | undefined = "0";

  function costOfRest(cost: unknown): number | undefined {
    if (stated === undefined || typeof cost !== "number") return undefined;
    return Number(decimalSum([`${cost}`, `-${stated}`]));
  }

  return {
    told(usage, of) {
      for (const name of NAMES) told[name] += countOf(usage[COUNTS[name]]);
      if (!tellsOf(usage)) return;
      const cost = usage[ATTR_THOUGHTFLOW_COST_STATED];
      if (cost === undefined) stated = undefined;
      else if (stated !== undefined) stated = decimalSum([stated, `${cost}`]);
      if (of === undefined || usage[ATTR_THOUGHTFLOW_COST_STATED] || hasTablePrice(of))
        isAll = false;
      else models.add(of.model);
    },
    beyond(sums) {
      const [model = sums.model] = models.size === 1 ? models : [];
      const input = countOf(sums.input) - told.input;
      const output = countOf(sums.output) - told.output;
      const isRest = input > 0 || output > 0;
      return {
        input,
        output,
        read: countOf(sums.read) - told.read,
        cost: isAll ? sums.cost : isRest ? costOfRest(sums.cost) : undefined,
        model,
        isCostOfCalls: models.size > 0,
      };
    },
  };
}

const NAMES = ["input", "output", "read"] as const;

/** Whether a call says how many tokens it took, or what it cost: more than 0. */
export function tellsOf(usage: Attributes): boolean {
  return [...Object.values(COUNTS), ATTR_THOUGHTFLOW_COST_STATED].some(
    (name) => Number(usage[name] ?? 0) > 0,
  );
}

/** A step that has such sums. */
export interface UntoldStep {
  readonly name: string;
  readonly attributes: Attributes;
}

/** `undefined` where neither tokens were counted nor their cost. */
export function untoldStep(sums: ProgramSums): UntoldStep | undefined {
  const counts = NAMES.map((name) => [COUNTS[name], countOf(sums[name])] as const);
  const areCounted = counts.some(([, count]) => count > 0);
  const cost = statedCost(sums.cost);
  if (!areCounted && Object.keys(cost).length === 0) return undefined;
  return {
    name: areCounted ? UNTOLD_TOKENS : UNTOLD_COST,
    attributes: {
      // Where somebody has a price for the calls' tokens, none of these costs nothing then.
      ...((areCounted || sums.isCostOfCalls) && Object.fromEntries(counts)),
      ...(sums.model !== undefined && { [ATTR_GEN_AI_RESPONSE_MODEL]: sums.model }),
      ...cost,
    },
  };
}
