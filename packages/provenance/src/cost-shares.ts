import Big from "big.js";
import type { Prompt } from "./prompt-of.ts";
import type { TokenShares } from "./token-shares.ts";

/** What the input of a call cost, shared out: exact decimal texts, whose sum is the cost of the input. */
export interface CostShares {
  /** Of each segment. */
  readonly segments: readonly string[];
  /** Of what no segment has. */
  readonly framing: string;
}

/** A share of an amount may have no end: it is cut there, and what is left over goes to the next. */
const PLACES = 12;

/**
 * What each segment of a prompt cost, in the currency of the call's cost: what came from the cache at the price of the
 * cache. `undefined` where nobody knows what the input cost.
 */
export function costShares(
  { call }: Prompt,
  { tokens, cached, total }: TokenShares,
): CostShares | undefined {
  const { cost, usage } = call.step;
  const input = amountOf(cost?.input);
  if (input === undefined || total === 0) return undefined;
  const all = usage?.cache_read_input_tokens ?? 0;
  const cheap = amountOf(cost?.cached_input);
  const isShared = cheap !== undefined && all > 0 && all < total;
  const fromCache = isShared ? shares(cheap, cached, all) : tokens.map(() => new Big(0));
  const others = isShared
    ? shares(
        input.minus(cheap),
        tokens.map((one, at) => one - (cached[at] ?? 0)),
        total - all,
      )
    : shares(input, tokens, total);
  const segments = others.map((amount, at) => amount.plus(fromCache[at] ?? 0));
  const given = segments.reduce((sum, amount) => sum.plus(amount), new Big(0));
  return {
    segments: segments.map((amount) => amount.toFixed()),
    framing: input.minus(given).toFixed(),
  };
}

/** Of an amount for `total` tokens, what each number of them takes. */
function shares(amount: Big, tokens: readonly number[], total: number): readonly Big[] {
  let counted = 0;
  let given = new Big(0);
  return tokens.map((one) => {
    counted += one;
    const until = amount.times(counted).div(total).round(PLACES);
    const share = until.minus(given);
    given = until;
    return share;
  });
}

function amountOf(amount: string | null | undefined): Big | undefined {
  return typeof amount === "string" && /^\d+(\.\d+)?$/.test(amount) ? new Big(amount) : undefined;
}
