import type { Prompt } from "./prompt-of.ts";
import type { TokenShares } from "./token-shares.ts";

/**
 * What each segment of a prompt cost, in the currency of the call's cost: what came from the cache at the price of the
 * cache. `undefined` where nobody knows what the input cost.
 */
export function costShares(
  { call }: Prompt,
  { tokens, cached, total }: TokenShares,
): readonly number[] | undefined {
  const { cost, usage } = call.step;
  const input = amountOf(cost?.input);
  if (input === undefined || total === 0) return undefined;
  const all = usage?.cache_read_input_tokens ?? 0;
  const cheap = amountOf(cost?.cached_input);
  if (cheap === undefined || all === 0 || all >= total)
    return tokens.map((one) => (input * one) / total);
  const perCached = cheap / all;
  const perOther = (input - cheap) / (total - all);
  return tokens.map((one, at) => {
    const fromCache = cached[at] ?? 0;
    return fromCache * perCached + (one - fromCache) * perOther;
  });
}

function amountOf(amount: string | null | undefined): number | undefined {
  const value = typeof amount === "string" ? Number(amount) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}
