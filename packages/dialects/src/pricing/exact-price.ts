import type { ModelPrice } from "@pydantic/genai-prices";
import Big from "big.js";
import { type PricedModel, pricedQuantities, type Quantities } from "./priced-quantities.ts";

/** US dollars. */
export interface ExactPrice {
  readonly total: Big;
  readonly input: Big;
  readonly output: Big;
  /** What each of the model's prices comes to, by the table's key of it: `cache_read_mtok`. */
  readonly parts: ReadonlyMap<string, Big>;
}

const MILLIONTH = new Big("0.000001");

/** Sound has prices by the hour, which no decimal of a second is: what isn't whole is rounded there. */
const PLACES = 12;

/**
 * What quantities cost at a model's prices, in decimals from the first product on.
 *
 * @throws Error when the quantities contradict each other
 */
export function exactPrice(quantities: Quantities, model: PricedModel): ExactPrice {
  const zero = new Big(0);
  let [total, input, output] = [zero, zero, zero];
  const parts = new Map<string, Big>();
  for (const { key, count, isInput, isOutput } of pricedQuantities(quantities, model)) {
    const price = priceAt(model.prices[key] ?? 0, quantities);
    const amount = price.times(count).times(MILLIONTH).round(PLACES);
    total = total.plus(amount);
    if (isInput) input = input.plus(amount);
    if (isOutput) output = output.plus(amount);
    parts.set(key, amount);
  }
  return { total, input, output, parts };
}

/** The price that holds for so much input: that of the highest tier that it is above. */
export function priceAt(
  price: NonNullable<ModelPrice[string]>,
  { input_tokens = 0 }: Quantities,
): Big {
  if (typeof price === "number") return new Big(price);
  const tiers = price.tiers
    .filter(({ start }) => input_tokens > start)
    .toSorted((a, b) => a.start - b.start);
  return new Big(tiers.at(-1)?.price ?? price.base);
}
